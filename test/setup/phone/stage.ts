import http from 'node:http';
import { onTestFinished } from 'vitest';
import type { Service } from '../../../src/connections/service.ts';
import { type PhoneOptions, runPhoneSetup } from '../../../src/setup/phone/index.ts';
import { memoryLog } from '../../support/log.ts';
import { type RecordingHost, type RecordingOptions, recordingHost } from '../../support/recording-host.ts';

export interface StageOptions extends Omit<RecordingOptions, 'person'> {
  readonly phone?: Partial<PhoneOptions>;
  readonly services?: readonly Service[];
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): Record<string, unknown>;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A set-up from a phone under way on loopback, with a browser's requests to it. */
export interface Stage {
  readonly host: RecordingHost;
  /** "127.0.0.1:41234" */
  readonly authority: string;
  readonly code: string;
  readonly log: readonly string[];
  /** Settles as runPhoneSetup does. */
  readonly over: Promise<unknown>;
  /** A request as it is given, with nothing added but what HTTP wants. */
  ask(path: string, asking?: Asking): Promise<Answer>;
  /** A request as the page sends it: with its origin, and with the token once it is paired. */
  send(path: string, body?: unknown): Promise<Answer>;
  /** Exchanges the code on the card. */
  pair(code?: string): Promise<Answer>;
  abort(): void;
}

export async function phoneStage({ phone, ...options }: StageOptions = {}): Promise<Stage> {
  const host = recordingHost(options);
  const log = memoryLog();
  const aborting = new AbortController();
  const play = () => Promise.resolve(true);
  const over: Promise<unknown> = runPhoneSetup(
    { host, log, signal: aborting.signal, play },
    { address: '127.0.0.1', scanTargets: { hosts: [] }, ...phone },
  );
  over.catch(() => undefined);
  const abort = () => {
    aborting.abort(new Error('gone'));
  };
  onTestFinished(async () => {
    abort();
    await over.catch(() => undefined);
  });
  const { address, code } = await host.person.waitFor('card');
  const { host: authority } = new URL(address);
  let token: string | undefined;
  const ask = (path: string, asking: Asking = {}) => exchange(authority, path, asking);
  const send = (path: string, body?: unknown) =>
    ask(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { origin: `http://${authority}`, 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body }),
    });
  const pair = async (given = code) => {
    const answer = await send('/api/session', { code: given });
    if (answer.status === 200) token = answer.json()['token'] as string;
    return answer;
  };
  return { host, authority, code, log: log.lines, over, ask, send, pair, abort };
}

/** One request on a connection of its own. */
function exchange(
  authority: string,
  path: string,
  { method = 'GET', headers = {}, body }: Asking,
): Promise<Answer> {
  const bytes =
    body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { hostname, port } = new URL(`http://${authority}`);
  return new Promise((resolve, reject) => {
    const request = http.request({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path,
      method,
      agent: false,
      headers: {
        host: authority,
        ...(bytes !== undefined && { 'content-length': bytes.byteLength }),
        ...headers,
      },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, text, json: () => JSON.parse(text) as Record<string, unknown> });
      });
    });
    request.end(bytes);
  });
}
