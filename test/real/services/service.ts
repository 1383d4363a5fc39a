// Servers of the Debian root as tests use them: on loopback, without privileges, with nothing left behind.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '../../../src/io/wait.ts';
import {
  type Bind,
  exitStatus,
  killInside,
  type Root,
  spawnInRoot,
} from '../../../tools/debian-root/index.ts';

/** A server on a busy machine is up within seconds; it is looked at every LOOK_MS. */
const START_MS = 30_000;
const LOOK_MS = 20;
/** Of what a server writes, the end is kept. Characters. */
const OUTPUT = 8_000;

export interface ServicePlan {
  /** As its own project writes it. */
  readonly name: string;
  /** All that it reads and writes; becomes the user's, and is removed at the end. See `serviceFolder`. */
  readonly folder: string;
  /** The Debian user that it runs as. */
  readonly user: 'news' | 'nobody';
  /** Further folders of the host that it sees. */
  readonly binds?: readonly Bind[];
  /** Stays in the foreground, and in the namespace. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it answers, in its own protocol; a rejection is a no. */
  readonly isReady: () => Promise<boolean>;
}

export interface Service {
  /** The end of what it wrote to its terminal. */
  output(): string;
  /** Ends it with everything that it started, and removes its folder. May be called again. */
  end(): Promise<void>;
}

/** A new, empty folder for one service; the same path inside the root. */
export const serviceFolder = (name: string): Promise<string> =>
  mkdtemp(join(tmpdir(), `slipstream-${name.toLowerCase()}-`));

/**
 * Gives up root before the server begins, and keeps what ends it with us: a change of user would drop that. Arguments:
 * user, folder, command.
 */
const AS_USER = `set -e
user=$1 folder=$2; shift 2
chown -R "$user:" "$folder"
group=$(id -g "$user")
exec setpriv --reuid "$user" --regid "$group" --clear-groups --no-new-privs --pdeathsig KILL -- "$@"`;

/** Starts a server and resolves when it answers; rejects, with its own words, when it ends or stays mute. */
export async function startService(root: Root, plan: ServicePlan): Promise<Service> {
  const { name, folder, user, binds = [], command, env = {}, isReady } = plan;
  const outer = spawnInRoot(root, ['sh', '-c', AS_USER, 'sh', user, folder, ...command], {
    binds: [{ from: folder }, ...binds],
    env: { HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT));
  outer.stdout?.on('data', keep);
  outer.stderr?.on('data', keep);
  let ended = false;
  const gone = exitStatus(outer).finally(() => (ended = true));
  const end = async () => {
    killInside(outer);
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  const look = async () => {
    if (ended) throw new Error(`${name} ended at once.`);
    return (await isReady().catch(() => false)) || undefined;
  };
  const { signal } = new AbortController();
  try {
    const up = await poll(look, { signal, interval: () => LOOK_MS, deadline: START_MS });
    if (up === undefined) throw new Error(`${name} did not answer within ${START_MS} ms.`);
  } catch (error) {
    await end();
    throw new Error(`${(error as Error).message}\n${output}`, { cause: error });
  }
  return { output: () => output, end };
}
