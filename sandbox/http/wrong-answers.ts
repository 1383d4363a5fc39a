import type { TransportFault } from './faults.ts';
import type { Answer, ClipRange, ServiceName } from './types.ts';

const ENDLESS = 2 * 1024 ** 3;

/** The answer that a fault puts in place of the right one; undefined: the right one is asked for. */
export function wrongAnswer(fault: TransportFault, service: ServiceName): Answer | undefined {
  const xmlType = { 'content-type': 'application/xml' };
  switch (fault.kind) {
    case 'status':
      return {
        status: fault.status,
        headers: fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter },
        body: fault.body ?? '',
      };
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: LOGIN_PAGE };
    case 'entity-bomb':
      return { status: service === 'webdav' ? 207 : 200, headers: xmlType, body: ENTITY_BOMB };
    case 'wrong-shape':
      return service === 'api'
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: WRONG_JSON }
        : { status: service === 'webdav' ? 207 : 200, headers: xmlType, body: WRONG_XML };
    case 'endless':
      return {
        status: service === 'webdav' ? 207 : 200,
        headers: service === 'api' ? { 'content-type': 'application/json' } : xmlType,
        body: endlessBody(fault.bytes ?? ENDLESS, service),
      };
    case 'body':
      return { status: 200, headers: { 'content-type': fault.type ?? 'text/plain' }, body: fault.body };
    case 'hang':
    case 'reset':
    case 'answer-lost':
    case 'slow':
    case 'truncated':
    case 'wrong-key':
    case 'cut':
    case 'throttle':
      return undefined;
  }
}

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Login</title></head><body><form method="post"></form></body></html>';

/** Ten entities, each ten times the one before: 10 GB of "lol" when expanded. */
const ENTITY_BOMB = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "lol">${Array.from(
  { length: 10 },
  (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`,
).join('')}]><rss><channel><title>&a10;</title></channel></rss>`;

const WRONG_JSON =
  '{"status":"yes","version":{"number":4},"nzo_ids":{"0":17},"queue":[1,2],"history":{"slots":"none"},"config":null}';
const WRONG_XML =
  '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id></entry></feed>';

/** Begins like an answer and goes on; nothing of it is held in memory. */
function endlessBody(size: number, service: ServiceName): ClipRange {
  const start = Buffer.from(
    service === 'api' ? '{"status":true,"filler":"' : '<?xml version="1.0"?><rss><channel><title>',
  );
  const clip = {
    name: 'endless',
    size,
    read(from: number, to: number) {
      const out = new Uint8Array(to - from).fill(0x61);
      if (from < start.length) out.set(start.subarray(from, Math.min(to, start.length)));
      return out;
    },
  };
  return { clip, start: 0, end: size };
}
