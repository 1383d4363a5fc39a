// npm run ends [-- part of a name …] [--write]: each way in which a play can end, in a real Kodi; without names all of
// them. --write keeps the result in docs/ends.md.
import { parseArgs } from 'node:util';
import { build } from './build/index.ts';
import { ensureRoot } from './debian-root/index.ts';
import { readEnds, writeEnds } from './ends/report.ts';
import { runVitest } from './test/vitest.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});

await build();
const root = await ensureRoot();
if ('skip' in root) {
  console.error(`A real Kodi is needed. ${root.skip}`);
  process.exit(1);
}
process.env['SLIPSTREAM_ENDS'] = positionals.join('\n');
const { counts, report } = await runVitest(process.execPath, ['kodi'], ['test/kodi/every-end.test.ts']);
const ends = readEnds(report);
const held = ends.filter(({ holds }) => holds).length;
console.log(ends.length === 0 ? 'No end has that in its name.' : `${held} of ${ends.length} ends hold`);
if (values.write) await writeEnds(ends);
if (ends.length === 0 || counts.failed > 0) process.exitCode = 1;
