// What the process that start-truth.ts starts runs: the embedded server behind a front that is the model.
import { startServer } from '../../fixtures/server/server.ts';
import { drawTruth } from './draw.ts';
import { startFront } from './front.ts';
import { type TruthKind, truthKinds } from './model.ts';

const [kind = '', seed = '', quantile = ''] = process.argv.slice(2);
if (!truthKinds.includes(kind as TruthKind)) throw new Error(`${kind} is no kind of truth`);
const { model } = drawTruth(kind as TruthKind, Number(seed), Number(quantile));
const behind = await startServer({ seed: 1 });
const front = await startFront(behind.baseUrl, model);

process.on('message', (message) => {
  if (message === 'arm') front.arm();
  process.send?.({ arrivals: message === 'arrivals' ? front.arrivals : [] });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: front.url });
