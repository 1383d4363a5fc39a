import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Nzb } from '../../src/backends/backend.ts';
import { serve } from '../support/http-server.ts';

/**
 * What happens to the first submission: it arrives late, when nobody waits for it any more (silent), or when a gateway
 * has given it up (504); its connection breaks before its body has been read; or somebody is busy, for long, or says so
 * of what was taken.
 */
export type Mishap = 'silent' | 504 | 'broken' | 'busy' | 'busy-for-long' | 'busy-but-taken';

/** More than the system takes in for a connection that nobody reads from. */
export function large(nzb: Nzb): Nzb {
  const padding = `<!--${' '.repeat(24 * 1024 * 1024)}-->`;
  const text = Buffer.from(nzb.bytes).toString().replace('</nzb>', `${padding}</nzb>`);
  return { ...nzb, bytes: new Uint8Array(Buffer.from(text)) };
}

export interface Front {
  readonly url: string;
  /** How many submissions have begun. */
  submissions(): number;
  /** Resolves when what was late has arrived. */
  arrived(): Promise<void>;
}

const BUSY: ReadonlySet<Mishap> = new Set(['busy', 'busy-for-long', 'busy-but-taken']);
/** Milliseconds by which a submission is late: more than a lab waits for its answer and looks for its job. */
const LATE = 2_500;
/** Bytes of a body that only a submission has. */
const SUBMISSION = 500;

/** A proxy before a server, at the first of whose submissions something goes wrong. */
export async function frontOf(server: string, mishap: Mishap): Promise<Front> {
  let late: Promise<unknown> = Promise.resolve();
  let submissions = 0;
  const url = await serve((req, res) => {
    const isHit = Number(req.headers['content-length'] ?? 0) > SUBMISSION && ++submissions === 1;
    if (isHit && mishap === 'broken') {
      req.socket.destroy();
      return;
    }
    const pass = async () => {
      const request = await forwarded(req);
      if (isHit && mishap === 'busy-but-taken') await fetch(`${server}${req.url}`, request);
      if (isHit && BUSY.has(mishap)) {
        res.writeHead(503, mishap === 'busy-for-long' ? { 'retry-after': '60' } : {}).end('<html>');
        return;
      }
      if (isHit) late = setTimeout(LATE).then(() => fetch(`${server}${req.url}`, request));
      if (isHit && mishap === 504) res.writeHead(504).end();
      if (isHit) return;
      const answer = await fetch(`${server}${req.url}`, request);
      res.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
    };
    pass().catch(() => res.destroy());
  });
  return {
    url,
    submissions: () => submissions,
    arrived: async () => {
      await late;
    },
  };
}

async function forwarded(req: IncomingMessage): Promise<RequestInit> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.entries(req.headers)
    .filter(([name]) => !OF_THE_CONNECTION.has(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  const body = chunks.length > 0 && { body: Buffer.concat(chunks) };
  return { method: req.method ?? 'GET', headers, ...body };
}

const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'host', 'content-length']);
