/** Ranks 5,000 releases over and over. Writes the milliseconds of the first time as the first line of stdout. */
import { rankOnce } from './ranking.ts';

async function rankOn(): Promise<never> {
  console.log(await rankOnce());
  for (;;) await rankOnce();
}

rankOn().catch((error: unknown) => {
  throw error;
});
