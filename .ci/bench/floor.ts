// The baseline of the benchmark: undici alone requests a server's health check N times, 32 at a time.
// Usage: BASE_URL=http://… node floor.ts N
import { Agent, request } from 'undici';

const total = Number(process.argv[2]);
const url = `${process.env.BASE_URL}/api/v1/healthcheck`;
const dispatcher = new Agent({ connections: 32 });
let sent = 0;

await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (sent < total) {
      sent += 1;
      const { body } = await request(url, { dispatcher });
      await body.text();
    }
  }),
);
await dispatcher.close();
