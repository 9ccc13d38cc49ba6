import { afterEach, describe, expect, test } from 'vitest';
import { typed, typedWith } from './typed-command.ts';

test('in a clone a command is an npm script, and npm hands on what stands behind a --', () => {
  expect([typed('run'), typedWith('run')]).toEqual(['npm start', 'npm start --']);
  expect([typed('doctor'), typedWith('explain')]).toEqual(['npm run doctor', 'npm run explain --']);
  expect(typed('k6-install')).toBe('npm run k6:install');
});

test('a command for another program keeps npm silent', () => {
  expect(typed('session', 'quietly')).toBe('npm run -s session');
  expect(typedWith('diff', 'quietly')).toBe('npm run -s diff --');
});

describe('in the package', () => {
  afterEach(() => {
    globalThis.packagedCommand = undefined;
  });

  test('it is what the bundle sets', () => {
    globalThis.packagedCommand = 'npx --no assay';
    expect([typed('run'), typedWith('run')]).toEqual(['npx --no assay run', 'npx --no assay run']);
    expect(typedWith('diff', 'quietly')).toBe('npx --no assay diff');
    expect(typed('k6-install')).toBe('npx --no assay k6-install');
  });
});
