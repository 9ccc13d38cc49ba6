import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serveConnections } from '../../fixtures/kit/loopback.ts';
import { createClient } from './client.ts';

const refused = 'HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno';
const sixMiB = 'ü'.repeat(3 * 2 ** 20);

async function sent(answer: (socket: Socket, bytes: number) => void) {
  const connections: Socket[] = [];
  const url = await serveConnections((socket) => {
    connections.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => answer(socket, socket.bytesRead));
  });
  const client = createClient({ timeoutMs: 20_000 });
  onTestFinished(() => client.close());
  const exchange = await client.send({ method: 'POST', url, headers: [], body: sixMiB });
  return { exchange, bytes: connections.map(({ bytesRead }) => bytesRead) };
}

test('a very large body that is refused by its length is answered, and never sent', async () => {
  const { exchange, bytes } = await sent((socket) => {
    // Whoever does not read what was sent resets the connection, and its answer is lost if more is on its way.
    socket.pause();
    setTimeout(() => socket.write(refused, () => socket.resetAndDestroy()), 100);
  });
  expect(exchange).toMatchObject({ attempts: 1, response: { status: 413 } });
  expect(bytes).toHaveLength(1);
  expect(bytes[0]).toBeLessThan(10_000);
});

test('a very large body that nobody refuses arrives whole', async () => {
  const { exchange } = await sent((socket, bytes) => {
    if (bytes > 2 * sixMiB.length) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  expect(exchange).toMatchObject({ attempts: 1, response: { status: 200 } });
});
