import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, FOLDER, headAndBody } from './transcript.ts';

const RECORDED = join(FOLDER, 'streamnzb');

/** Everything that was recorded of StreamNZB: by the file's name, and by the step where a file has several ("sequence-restart/2"). */
export function streamNzbRecording(): ReadonlyMap<string, Exchange> {
  const exchanges = readdirSync(RECORDED).flatMap((file) => {
    const name = `streamnzb/${file.replace(/\.txt$/, '')}`;
    const steps = readFileSync(join(RECORDED, file), 'utf8').split(/^=== .*\n/m);
    return steps.length === 1
      ? [exchange(name, steps[0]!)]
      : steps.slice(1).map((step, n) => exchange(`${name}/${n}`, step));
  });
  return new Map(exchanges.map((each) => [each.name, each]));
}

function exchange(name: string, text: string): Exchange {
  const [asked = '', answered = ''] = text.replace(/^(?:#.*\n)+/, '').split(/^--- .* ms ---\n/m);
  const request = headAndBody(asked);
  const answer = headAndBody(answered);
  // The placeholders of tokens have spaces in them.
  const [, method = '', target = ''] = /^(\S+) (.*)$/.exec(request.first) ?? [];
  const isNone = answer.first.startsWith('(no answer');
  return {
    name,
    request: { method, target, headers: request.headers, body: request.body.trim() },
    answer: {
      status: isNone ? 0 : Number(answer.first.split(' ')[1]),
      headers: answer.headers,
      body: { kind: 'text', text: isNone ? answer.first : answer.body.trim(), cut: false },
    },
  };
}
