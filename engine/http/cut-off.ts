// Sends a request and cuts its connection before the answer, like a client that loses the network.
import type { Socket } from 'node:net';
import { addressOf } from './address.ts';
import { type BurstOptions, messageOf } from './burst.ts';
import type { Request } from './exchange.ts';
import { openSocket } from './raw.ts';

/**
 * When the connection is cut. `in the body`: after half of the body; `at once`: as soon as the whole request is sent;
 * `in the answer`: when the first byte of the answer arrives.
 */
export type Cut = 'in the body' | 'at once' | 'in the answer';

/** Gives the target time to read the first half before the connection closes. */
const halfReadMs = 20;

/**
 * Sends the request, or half of its body, and cuts the connection. Never rejects.
 * @returns true if the bytes were handed to the socket; false where the connection failed or timed out first, a header
 * cannot be written, or the body is too short to cut (under 2 bytes)
 */
export function cutOff(request: Request, cut: Cut, options: BurstOptions): Promise<boolean> {
  const message = messageOf(request);
  const origin = addressOf(request.url)?.origin;
  if (message === undefined || origin === undefined) return Promise.resolve(false);
  const bodyLength = request.body === undefined ? 0 : Buffer.from(request.body as string).length;
  if (cut === 'in the body' && bodyLength < 2) return Promise.resolve(false);
  const part =
    cut === 'in the body' ? message.subarray(0, message.length - Math.ceil(bodyLength / 2)) : message;

  return new Promise((resolve) => {
    let isSent = false;
    let wait: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(limit);
      clearTimeout(wait);
      opened.destroy();
      resolve(isSent);
    };
    const limit = setTimeout(end, options.timeoutMs);
    const begin = (socket: Socket) => {
      socket.on('error', end).on('close', end);
      socket.write(part, (error) => {
        if (error) return;
        isSent = true;
        if (cut === 'at once') end();
        if (cut === 'in the body') wait = setTimeout(end, halfReadMs);
      });
      socket.once('data', end);
    };
    const opened = openSocket(origin, options, begin, end);
  });
}
