import {
  createPeer,
  followKodiLanguage,
  type Peer,
  receiveStart,
  type StartMessage,
} from '../host/kodi/index.ts';
import { type Logger, stderrLogger } from '../log/index.ts';

/** Runs a command that talks with Kodi's host over stdio, and gives the process's exit status. */
export async function withPeer(
  run: (peer: Peer, start: StartMessage, log: Logger) => Promise<void>,
): Promise<number> {
  const log = stderrLogger();
  const peer = createPeer(process.stdin, process.stdout, log);
  try {
    const start = await receiveStart(peer);
    await followKodiLanguage(peer, start, log);
    await run(peer, start, log);
    return 0;
  } catch (error) {
    log.error('the engine failed', error);
    return 1;
  } finally {
    peer.close();
  }
}
