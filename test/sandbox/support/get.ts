import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Got {
  readonly status: number;
  /** As Node reads them: byte by byte. */
  readonly headers: IncomingHttpHeaders;
  /** What came before the body ended or broke off. */
  readonly bytes: Buffer;
  /** All that was promised has come. */
  readonly isWhole: boolean;
}

/** One request on a connection of its own; a redirect is an answer as any other. @throws where no answer comes */
export function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(url, { method, headers, agent: false });
    req.once('error', reject);
    req.once('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A body that breaks off is an error as well.
      res.on('error', () => undefined);
      res.once('close', () => {
        const { statusCode: status = 0, headers: told, complete: isWhole } = res;
        resolve({ status, headers: told, bytes: Buffer.concat(chunks), isWhole });
      });
    });
    req.end();
  });
}

export const ranged = (url: string, range: string): Promise<Got> => get(url, { range: `bytes=${range}` });
