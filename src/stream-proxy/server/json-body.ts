import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { parseJson } from '../../io/json.ts';
import { issueText } from '../source/schemas.ts';

/** Of any body that the proxy takes. */
const MAX_BODY = 256 * 1024;

/** The JSON that came with a request. @throws TOO_LARGE, INVALID_REQUEST; what the connection failed of */
export async function readJsonBody<T>(
  request: IncomingMessage,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> {
  const json = parseJson((await readBody(request)).toString('utf8'));
  if (json === undefined) throw invalidBodyError('INVALID_REQUEST', 'no JSON');
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw invalidBodyError('INVALID_REQUEST', issueText(result.issues[0]));
}

/** By hand: leaving an async iteration early would destroy the socket before the answer. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > MAX_BODY) {
        request.pause();
        reject(invalidBodyError('TOO_LARGE', `a body of more than ${MAX_BODY} bytes`));
      } else chunks.push(chunk);
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.once('error', reject);
  });
}

const invalidBodyError = (code: 'INVALID_REQUEST' | 'TOO_LARGE', detail: string) =>
  new SlipstreamError(
    code,
    { what: `The request about a stream makes no sense: ${detail}.`, next: 'Report it with the log.' },
    { detail },
  );
