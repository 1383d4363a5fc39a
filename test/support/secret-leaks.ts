import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANARY } from '../../sandbox/index.ts';

/** Every secret of the sandbox, and the pair that Basic credentials are made of. */
const SECRETS: readonly string[] = [...Object.values(CANARY), `admin:${CANARY.password}`];

/** The ways in which a secret could be written down. Made here anew, so that nothing is shared with the redaction. */
export function encodingsOf(secret: string): readonly string[] {
  const percent = encodeURIComponent(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    percent,
    percent.replace(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(percent),
    new URLSearchParams({ a: secret }).toString().slice(2),
    encodeURI(secret),
    Buffer.from(secret, 'utf16le').toString('latin1'),
    ...[0, 1, 2].flatMap((before) => base64(secret, before)),
  ];
}

/** In Base64 a secret looks otherwise by what stands before it; the characters at either end depend on its neighbours. */
function base64(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'utf8')]);
  const core = (text: string) => text.replace(/=+$/, '').slice(4, -2);
  return [core(bytes.toString('base64')), core(bytes.toString('base64url'))];
}

/** Everything that somebody other than the services could read; `leaks` tells where a canary sits in it. */
export class LeakDetector {
  readonly #pieces: { readonly where: string; readonly bytes: Buffer }[] = [];

  /** Text as it is, bytes as they are, anything else as JSON. */
  add(where: string, what: unknown): void {
    const bytes = Buffer.isBuffer(what)
      ? what
      : Buffer.from(typeof what === 'string' ? what : JSON.stringify(what ?? null), 'utf8');
    this.#pieces.push({ where, bytes });
  }

  /** All files below a folder, databases too, by their bytes; but for those whose path `except` fits. */
  addFolder(where: string, folder: string, except = /^$/): void {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !except.test(path)) this.add(`${where}: ${path}`, readOrNothing(path));
    }
  }

  /** What any program of the same machine (argv) or person (environment) can read of a process. Linux only. */
  addProcess(where: string, pid: number): void {
    if (!existsSync('/proc/self')) return;
    for (const file of ['cmdline', 'environ'])
      this.add(`${where}: ${file}`, readOrNothing(`/proc/${pid}/${file}`));
  }

  /** Whether something was gathered there at all: a search in nothing finds nothing. */
  has(where: string): boolean {
    return this.#pieces.some((piece) => piece.where.startsWith(where) && piece.bytes.byteLength > 0);
  }

  leaks(): string[] {
    return this.#pieces.flatMap(({ where, bytes }) =>
      SECRETS.flatMap((secret) => encodingsOf(secret))
        .filter((form) => bytes.includes(Buffer.from(form, 'latin1')))
        .map((form) => `${form} in ${where}`),
    );
  }
}

/** A process may end, and a file be removed, while it is looked at. */
function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
