import type { Backend, FinishedJob, Located } from '../../../src/backends/backend.ts';
import { type ErrorCode, SlipstreamError } from '../../../src/errors/index.ts';
import { fetchBounded } from '../../../src/io/http.ts';
import type { MediaRequest, RemoteFile } from '../../../src/model/index.ts';
import { endStream } from '../../../src/resolver/prepare.ts';
import { startTestProxy } from '../../support/proxy.ts';

/** A backend whose streams a proxy opens, together with that: what is located has been opened, as at any other backend. */
export interface ProxiedBackend {
  readonly backend: Backend;
  close(): Promise<void>;
}

/** Milliseconds that /prepare takes at the most beside the wait for the stream. */
const PREPARE = 25_000;

/**
 * @param blocks A job's stream blocks until it is ready, so that waiting for the job is opening it.
 */
export async function throughProxy(inner: Backend, blocks: boolean): Promise<ProxiedBackend> {
  const proxy = await startTestProxy();
  const requests = new Map<string, MediaRequest>();
  const answered = new Map<string, FinishedJob>();
  const ready = new Map<string, Located>();

  const opened = async (located: Located, signal: AbortSignal): Promise<Located> => {
    const { file } = located;
    if (file.via !== 'proxy') throw new Error('it is for the player');
    const { url, size, name = file.name } = await prepared(file, proxy, signal);
    await endStream(url, proxy, signal);
    return { ...located, file: { ...file, size, name }, received: { size, name } };
  };
  const backend: Backend = {
    ...inner,
    submit: (nzb, name, request, signal) => {
      requests.set(name, request);
      return inner.submit(nzb, name, request, signal);
    },
    waitUntilReady: async (job, options) => {
      // What has answered, and was not opened in time, may be waited for again.
      const finished = answered.get(job.name) ?? (await inner.waitUntilReady(job, options));
      answered.set(job.name, finished);
      const request = requests.get(job.name);
      if (!blocks || request === undefined) return finished;
      const { signal } = options;
      ready.set(job.name, await opened(await inner.locate(finished, request, signal), signal));
      return finished;
    },
    locate: async (job, request, signal) => {
      signal.throwIfAborted();
      return ready.get(job.name) ?? (await opened(await inner.locate(job, request, signal), signal));
    },
  };
  return { backend, close: () => proxy.close() };
}

/** What /prepare answers of it. @throws what the proxy says, under its own code */
async function prepared(
  file: RemoteFile,
  { port, token }: { readonly port: number; readonly token: string },
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly size: number; readonly name?: string }> {
  const answer = await fetchBounded({
    url: `http://127.0.0.1:${port}/prepare`,
    who: 'The proxy',
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(file),
    timeout: PREPARE + (file.opening?.wait ?? 0),
  });
  const json = JSON.parse(answer.text()) as { url: string; size: number; name?: string };
  if (answer.status === 200) return json;
  const { code, what, next } = json as unknown as { code: ErrorCode; what: string; next: string };
  throw new SlipstreamError(code, { what, next });
}
