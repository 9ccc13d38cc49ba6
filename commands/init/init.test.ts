import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProfile } from '../../engine/target/profile.ts';
import { initCommand } from './init.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

test('an empty folder gets settings, a profile that can be read, and a workflow', () => {
  expect(initCommand(folder)).toEqual([
    'written  .env',
    'written  assay-profile.json',
    'written  .github/workflows/assay.yml',
    'add .env to .gitignore: it may hold tokens',
    'add reports/out to .gitignore: every run writes its reports there',
    'next: set BASE_URL in .env, then: npm run doctor',
  ]);
  expect(text('.env')).toContain('\nPROFILE=assay-profile.json\n');
  expect(readProfile(text('assay-profile.json'), {})).not.toHaveProperty('mistakes');
  expect(parse(text('.github/workflows/assay.yml')).jobs.judge.steps).toHaveLength(6);
});

test('what is there already stays as it is, a link that leads nowhere too', () => {
  writeFileSync(join(folder, '.env'), 'BASE_URL=http://mine.example\n');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n.env\n/reports/\n');
  symlinkSync('/nowhere/at/all', join(folder, 'assay-profile.json'));
  expect(initCommand(folder, 'none')).toEqual([
    'kept     .env: it is there already',
    'kept     assay-profile.json: it is there already',
    'next: set BASE_URL in .env, then: npm run doctor',
  ]);
  expect(text('.env')).toBe('BASE_URL=http://mine.example\n');
});

test('where GitLab is used alone, its file is the one, and is kept', () => {
  writeFileSync(join(folder, '.gitlab-ci.yml'), 'mine: {}\n');
  expect(initCommand(folder)).toContain('kept     .gitlab-ci.yml: it is there already');
  mkdirSync(join(folder, '.github'));
  expect(initCommand(folder)).toContain('written  .github/workflows/assay.yml');
});

test('the file for GitLab runs what is installed, and nothing else of that name', () => {
  initCommand(folder, 'gitlab');
  expect(parse(text('.gitlab-ci.yml')).assay.script.at(-1)).toMatch(/^npx --no assay run /);
});

test('a folder that cannot be written is one line', () => {
  expect(() => initCommand('/proc/self', 'none')).toThrow(/^init: "[^\n]+ cannot be written/);
});
