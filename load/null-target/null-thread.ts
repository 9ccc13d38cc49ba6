// Runs the null target: a server thread that answers every request at once with the same bytes.
import { type AddressInfo, createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';

const answer = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
);
const end = Buffer.from('\r\n\r\n');

// Reads heads and skips bodies of the stated length: k6 as the only client needs no more of HTTP.
const server = createServer({ noDelay: true }, (socket) => {
  let held: Buffer = Buffer.alloc(0);
  let skip = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const skipped = Math.min(skip, held.length);
      held = held.subarray(skipped);
      skip -= skipped;
      const at = skip > 0 ? -1 : held.indexOf(end);
      if (at < 0) return;
      const head = held.subarray(0, at).toString('latin1');
      skip = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      held = held.subarray(at + end.length);
      socket.write(answer);
    }
  });
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
