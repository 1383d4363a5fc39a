import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER, headAndBody } from './transcript.ts';

/** One exchange with AltMount, as it was recorded. */
export interface AltMountExchange {
  /** Its file, and its place where the file holds several: "altmount/sequence-sab-one-job/2". */
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The fields of a form, and the file in it; a file of HTML has no name. */
    readonly fields: Readonly<Record<string, string>>;
    readonly file?: { readonly field: string; readonly name: string; readonly isHtml: boolean };
  };
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    /** A placeholder stands in the body for something of another length. */
    readonly isChanged: boolean;
    /** Of a body in bytes: how many came before it ended or broke off, and with which it began. */
    readonly bytes?: { readonly length: number; readonly begins: string; readonly isCut: boolean };
  };
}

export function altMountRecording(): ReadonlyMap<string, AltMountExchange> {
  const folder = join(FOLDER, 'altmount');
  const exchanges = readdirSync(folder).flatMap((file) => {
    const steps = `\n${readFileSync(join(folder, file), 'utf8')}`.split(/\n(?:=== |# )[^\n]*\n/).slice(1);
    const name = `altmount/${file.replace('.txt', '')}`;
    return steps.map((step, n) => exchangeIn(steps.length === 1 ? name : `${name}/${n}`, step));
  });
  return new Map(exchanges.map((exchange) => [exchange.name, exchange]));
}

function exchangeIn(name: string, text: string): AltMountExchange {
  const [asked = '', answered = ''] = text.split(/^--- [^\n]* ---\n/m);
  const request = headAndBody(asked.trimEnd());
  const answer = headAndBody(answered);
  // A placeholder in it may hold a blank.
  const [, method = '', target = ''] = /^(\S+) (.*)$/.exec(request.first) ?? [];
  const body = answer.body.replace(/\n+$/, '');
  return {
    name,
    request: { method, target, headers: request.headers, ...formIn(request.body) },
    answer: {
      status: Number(answer.first.split(' ')[1] ?? 0),
      headers: answer.headers,
      text: body === '(no body)' ? '' : body,
      isChanged: body.includes('{'),
      ...bytesIn(body),
    },
  };
}

/** "(form fields timeout=50, season=1; file "x.nzb")", "(no form fields; file part "nzbfile" named "x.nzb", 5 bytes)". */
function formIn(text: string) {
  const told = /form fields ([^;)]*)/.exec(text)?.[1] ?? '';
  const isNone = text.includes('no form fields');
  const pairs = isNone ? [] : told.split(', ').map((pair) => pair.split('=') as [string, string]);
  const [, part = 'file', name = ''] = /file (?:part "(\w+)" named )?"([^"]+)"/.exec(text) ?? [];
  const isHtml = text.includes('HTML');
  return {
    fields: Object.fromEntries(pairs.filter(([field]) => field !== '')),
    ...((name !== '' || isHtml) && { file: { field: part, name: isHtml ? 'Html.nzb' : name, isHtml } }),
  };
}

function bytesIn(text: string): Pick<AltMountExchange['answer'], 'bytes'> {
  if (text.startsWith('(no byte of the body')) return { bytes: { length: 0, begins: '', isCut: true } };
  const [, length, begins = ''] = /^\((\d+) bytes, SHA-256 \w+, begins (\w+)/.exec(text) ?? [];
  return length === undefined
    ? {}
    : { bytes: { length: Number(length), begins, isCut: text.includes('broke off') } };
}
