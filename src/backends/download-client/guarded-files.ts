import { SlipstreamError } from '../../errors/index.ts';
import type { HostFile, HostFiles } from '../../host/port.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { type FileServer, parsePlayerFolder } from './paths/player-folder.ts';
import { checkFileServer, type NfsPorts } from './reachability/check-file-server.ts';
import type { NzbgetTimings } from './timings.ts';

/** The media centre's files, let near a server only while that one is known to speak, and never waited for too long. */
export interface GuardedFiles {
  /** @throws as checkFileServer; HOST_FAILED; TIMEOUT */
  list(folder: string, signal: AbortSignal): Promise<readonly HostFile[] | undefined>;
  /** @throws as checkFileServer; HOST_FAILED; TIMEOUT */
  read(
    path: string,
    range: { readonly from: number; readonly length: number },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined>;
}

export function guardedFiles(files: HostFiles, times: NzbgetTimings, nfsPorts?: NfsPorts): GuardedFiles {
  const proven = new Map<string, number>();
  const prove = async (path: string, signal: AbortSignal) => {
    const { server } = parsePlayerFolder(path);
    if (server === undefined) return;
    const key = keyOf(server);
    if (performance.now() - (proven.get(key) ?? -Infinity) < times.proofAge) return;
    await checkFileServer(server, {
      signal,
      timeout: times.proof,
      ...(nfsPorts !== undefined && { nfsPorts }),
    });
    proven.set(key, performance.now());
  };
  const guarded = async <T>(
    path: string,
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    await prove(path, signal);
    const limit = deadlineSignal(signal, times.read, () => fileTimeoutError(times.read));
    try {
      return await call(limit.signal);
    } finally {
      limit.done();
    }
  };
  return {
    list: (folder, signal) => guarded(folder, signal, (limited) => files.list(folder, limited)),
    read: (path, range, signal) => guarded(path, signal, (limited) => files.read(path, range, limited)),
  };
}

const keyOf = ({ protocol, host, port }: FileServer) => `${protocol} ${host} ${port ?? ''}`;

export const fileTimeoutError = (ms: number) =>
  new SlipstreamError(
    'TIMEOUT',
    {
      what: `The folder of finished downloads did not open within ${Math.ceil(ms / 1000)} seconds.`,
      next: 'Check that its file server is not overloaded, then try again.',
    },
    { transient: true },
  );
