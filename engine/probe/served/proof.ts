// Proves what a host answers to unrouted paths: whether those answers are steady and mean that there is no route.
import { catalog } from '../../../catalog/catalog.ts';
import type { Host, Method, Operation } from '../../../catalog/operation.ts';
import { nameControls } from '../../compare/controls.ts';
import { compare } from '../../compare/with-controls.ts';
import type { Ask } from '../../http/ask.ts';
import type { Exchange } from '../../http/exchange.ts';
import { is2xx } from '../../values/status.ts';
import { answersOf, type Control, compareWith, isSteady } from './samples.ts';

/** Remembers the result per operation, so that each is found out once. */
export const oncePerRow = <T>(make: (operation: Operation) => Promise<T>) => {
  const known = new Map<string, Promise<T>>();
  return (operation: Operation) => {
    const made = known.get(operation.id) ?? make(operation);
    known.set(operation.id, made);
    return made;
  };
};

export interface Proof {
  /** Is the operation answered 2xx, unlike its controls? */
  readonly standsOut: (operation: Operation) => Promise<boolean>;
  /** Is what this host says to unrouted paths known to mean that there is no route? */
  readonly proven: (host: Host, method: Method) => Promise<boolean>;
  /** Are unrouted paths of this host answered alike, however often they are asked? */
  readonly steady: (host: Host) => Promise<boolean>;
}

export function createProof({
  ask,
  control,
}: {
  readonly ask: (operation: Operation, ask?: Ask) => Promise<Exchange>;
  readonly control: Control;
}): Proof {
  const proofs = new Map<string, Promise<boolean>>();
  const steadiness = new Map<Host, Promise<boolean>>();

  const standsOut = oncePerRow(async (operation: Operation) => {
    const answer = await ask(operation);
    const status = answer.response?.status ?? 0;
    if (!is2xx(status)) return false;
    const answers = answersOf(ask, operation, answer);
    const compared = await Promise.all(
      (['sibling', 'root', ...nameControls(operation)] as const).map((kind) =>
        compareWith(control, operation, kind, answers),
      ),
    );
    return compared.every(({ differs, failed }) => differs && failed === undefined);
  });

  const steady = (host: Host): Promise<boolean> => {
    const made = steadiness.get(host) ?? isSteadyHost(host);
    steadiness.set(host, made);
    return made;
  };

  const isSteadyHost = async (host: Host): Promise<boolean> => {
    const found = (['GET', 'POST'] as const).map((method) =>
      catalog.find((row) => row.host === host && row.method === method && isPlain(row)),
    );
    const seen = found.map((row) => row === undefined || isSteady(control, row));
    return (await Promise.all(seen)).every(Boolean);
  };

  const proven = (host: Host, method: Method): Promise<boolean> => {
    const key = `${host} ${method}`;
    const made = proofs.get(key) ?? prove(host, method);
    proofs.set(key, made);
    return made;
  };

  const prove = async (host: Host, method: Method): Promise<boolean> => {
    const rows = catalog.filter((row) => row.host === host && row.method === method);
    const seen = await Promise.all(rows.map(standsOut));
    if (seen.filter(Boolean).length >= 3) return true;
    if (rows.length >= 3 && method === 'GET') return false;
    return borrow(host, method);
  };

  /** A method with few operations borrows the proof of GET or POST where their unrouted answers look the same. */
  const borrow = async (host: Host, method: Method): Promise<boolean> => {
    const own = catalog.find((row) => row.host === host && row.method === method);
    for (const lender of (['GET', 'POST'] as const).filter((other) => other !== method)) {
      const row = catalog.find((candidate) => candidate.host === host && candidate.method === lender);
      if (!own || !row || !(await proven(host, lender))) continue;
      const { differs, unstable, failed } = await compare(
        (nth) => control(own, 'root', nth),
        (nth) => control(row, 'root', nth),
      );
      if (!differs && !unstable && failed === undefined) return true;
    }
    return false;
  };

  return { standsOut, proven, steady };
}

/** An operation whose controls serve many others and need no player of their own. */
const isPlain = ({ query, ends }: Operation) => Object.keys(query).length === 0 && ends === undefined;
