// Ranks 5,000 releases over and over. Writes the milliseconds of the first time as the first line of stdout.
import './ends-with-parent.ts';
import { setImmediate as turn } from 'node:timers/promises';
import { rankOnce } from './ranking.ts';

async function rankOn(): Promise<never> {
  console.log(await rankOnce());
  for (;;) {
    await turn();
    await rankOnce();
  }
}

rankOn().catch((error: unknown) => {
  throw error;
});
