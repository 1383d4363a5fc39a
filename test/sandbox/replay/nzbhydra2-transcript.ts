import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, FOLDER, headAndBody } from './transcript.ts';

const RECORDED = join(FOLDER, 'nzbhydra2');

/** Not an exchange, but a table of what came on which page, and of who was asked. */
const PAGING = 'paging-summary.txt';

/** Everything that was recorded of NZBHydra2, by name ("nzbhydra2/caps"). */
export function hydraRecording(): ReadonlyMap<string, Exchange> {
  const files = readdirSync(RECORDED).filter((file) => file !== PAGING);
  const exchanges = files.map((file) =>
    exchange(`nzbhydra2/${file.replace(/\.txt$/, '')}`, readFileSync(join(RECORDED, file), 'utf8')),
  );
  return new Map(exchanges.map((each) => [each.name, each]));
}

function exchange(name: string, text: string): Exchange {
  const [asked = '', answered = ''] = text.replace(/^#.*\n/, '').split(/^--- \d+ ms ---\n/m);
  const request = headAndBody(asked);
  const answer = headAndBody(answered);
  // The placeholder of the key has a space in it.
  const [, method = '', target = ''] = /^(\S+) (.*)$/.exec(request.first) ?? [];
  return {
    name,
    request: { method, target, headers: request.headers, body: request.body.trim() },
    answer: {
      status: Number(answer.first.split(' ')[1]),
      headers: answer.headers,
      body: { kind: 'text', text: answer.body.trim(), cut: answer.body.includes('{cut') },
    },
  };
}

/** The tables of pages: of indexers that list the newest first, and of those that list the oldest first. */
export function pagingTables(): readonly (readonly string[])[] {
  const tables = readFileSync(join(RECORDED, PAGING), 'utf8')
    .split(/^#.*\n/m)
    .slice(1);
  return tables.map((table) => table.trim().split('\n'));
}
