import { createInterface } from 'node:readline';
import { loadReleaseNameParser } from '../release/index.ts';

/** Characters; indexers give no longer ones. */
const MAX_NAME = 2_000;

/** `slipstream names`: what each release name on stdin tells, as one line of JSON each. */
export async function runParseNames(): Promise<number> {
  const parse = await loadReleaseNameParser();
  for await (const line of createInterface({ input: process.stdin })) {
    const name = line.slice(0, MAX_NAME);
    process.stdout.write(`${JSON.stringify({ name, ...parse(name) })}\n`);
  }
  return 0;
}
