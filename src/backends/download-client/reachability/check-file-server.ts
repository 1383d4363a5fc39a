import { SlipstreamError } from '../../../errors/index.ts';
import { ownValue } from '../../../io/own-property.ts';
import { deadlineSignal } from '../../../io/wait.ts';
import type { FileServer } from '../paths/player-folder.ts';
import {
  isCallAnswer,
  NFS,
  NFS_PORT,
  nullCall,
  PORTMAPPER,
  PORTMAPPER_PORT,
  type Program,
  probeRpc,
} from './nfs.ts';
import { isSmbAnswer, probeSmb, SMB_PORT } from './smb.ts';
import type { TcpReply } from './tcp-exchange.ts';

/** What became of one question to one port. */
type PortVerdict = 'speaks' | 'refused' | 'other' | { readonly code: string };

/** Where NFS may answer. Only tests have other ports. */
export interface NfsPorts {
  readonly nfs: number;
  readonly portmapper: number;
}
const NFS_PORTS: NfsPorts = { nfs: NFS_PORT, portmapper: PORTMAPPER_PORT };

/**
 * Proves that a file server speaks its protocol, before the media centre's own file layer is let near it: that one waits
 * without end for a server that accepts and never answers (kodi.md §5).
 * @param timeout Milliseconds.
 * @throws UNREACHABLE; TIMEOUT when it accepts and is silent; BAD_ANSWER when something else answers there
 */
export async function checkFileServer(
  server: FileServer,
  { signal, timeout, nfsPorts = NFS_PORTS }: { signal: AbortSignal; timeout: number; nfsPorts?: NfsPorts },
): Promise<void> {
  const limit = deadlineSignal(signal, timeout, () => silent(server, timeout));
  try {
    const verdicts =
      server.protocol === 'smb'
        ? [await smbVerdict(server, limit.signal)]
        : await nfsVerdicts(server, nfsPorts, limit.signal);
    const failure = failureOf(server, verdicts);
    if (failure !== undefined) throw failure;
  } finally {
    limit.done();
  }
}

async function smbVerdict({ host, port = SMB_PORT }: FileServer, signal: AbortSignal): Promise<PortVerdict> {
  return verdictOf(await probeSmb(host, port, signal), isSmbAnswer);
}

/**
 * NFS 3 begins at the portmapper, NFS 4 at its own port, and we do not know which one the media centre is set to: so
 * whoever listens has to speak, and one of them has to listen. A port in the address is that of NFS itself.
 */
async function nfsVerdicts(
  { host, port }: FileServer,
  ports: NfsPorts,
  signal: AbortSignal,
): Promise<readonly PortVerdict[]> {
  const call = async (to: number, program: Program) => {
    const question = nullCall(program);
    return verdictOf(await probeRpc(host, to, question, signal), (bytes) => isCallAnswer(question, bytes));
  };
  if (port !== undefined) return [await call(port, NFS)];
  return await Promise.all([call(ports.nfs, NFS), call(ports.portmapper, PORTMAPPER)]);
}

function verdictOf(reply: TcpReply, speaks: (bytes: Buffer) => boolean): PortVerdict {
  if (reply.kind === 'bytes' && reply.bytes.length === 0) return { code: 'ECONNRESET' };
  if (reply.kind === 'bytes') return speaks(reply.bytes) ? 'speaks' : 'other';
  return reply.code === 'ECONNREFUSED' ? 'refused' : { code: reply.code };
}

function failureOf(server: FileServer, verdicts: readonly PortVerdict[]): SlipstreamError | undefined {
  const broken = verdicts.find((verdict) => typeof verdict === 'object');
  if (broken !== undefined)
    return unreachable(server, ownValue(ERROR_TEXTS, broken.code) ?? broken.code, broken.code);
  if (verdicts.includes('other')) return somethingElse(server);
  return verdicts.includes('speaks')
    ? undefined
    : unreachable(server, 'nothing listens there', 'ECONNREFUSED');
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no network',
  ECONNRESET: 'it broke off the connection',
  EPIPE: 'it broke off the connection',
  ETIMEDOUT: 'it does not respond',
};

const nameOf = ({ protocol, host, port }: FileServer) =>
  `The file server ${protocol}://${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`;

const unreachable = (server: FileServer, why: string, detail: string) =>
  new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${nameOf(server)} cannot be reached (${why}).`,
      next:
        detail === 'ENOTFOUND'
          ? 'Enter its IP address in the folder of finished downloads, in place of its name.'
          : 'Check that it is running, and the address of the folder of finished downloads.',
    },
    { detail },
  );

const silent = (server: FileServer, timeout: number) =>
  new SlipstreamError(
    'TIMEOUT',
    {
      what: `${nameOf(server)} did not answer within ${Math.ceil(timeout / 1000)} seconds.`,
      next: 'Restart the file server, or wait until its disks are awake, then try again.',
    },
    { transient: true },
  );

const somethingElse = (server: FileServer) =>
  new SlipstreamError('BAD_ANSWER', {
    what: `${nameOf(server)} is no ${server.protocol.toUpperCase()} server: something else answers there.`,
    next: 'Check the address of the folder of finished downloads.',
  });
