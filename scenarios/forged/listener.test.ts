import { expect, test } from 'vitest';
import { listenFor } from './listener.ts';

test('serves the text to every caller, and counts them', async () => {
  const { url, requests, close } = await listenFor('{"keys":[]}');
  expect(requests()).toBe(0);
  expect(await (await fetch(url)).json()).toEqual({ keys: [] });
  expect(requests()).toBe(1);
  close();
  expect(new URL(url).hostname).toBe('127.0.0.1');
});
