// Commands inside the root: chroot in a mount and a PID namespace of their own, on the host's network.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import type { RootPaths } from './paths.ts';
import { killInside } from './processes.ts';

/** A root that is ready for use. */
export interface Root {
  readonly paths: RootPaths;
}

export interface Bind {
  /** A file or folder of the host. */
  readonly from: string;
  /** Where it appears inside; the same path by default. */
  readonly to?: string;
  readonly readOnly?: boolean;
}

export interface EnterOptions {
  readonly binds?: readonly Bind[];
  /** The whole environment beside PATH, HOME, LC_ALL and TMPDIR; nothing of the host's is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdio?: StdioOptions;
  /** Ends everything that was started inside, at once. */
  readonly signal?: AbortSignal;
  /** Changes to the file system stay. Only for installing: otherwise they are gone when the command ends. */
  readonly persistent?: boolean;
}

/**
 * Builds the command's view, then becomes the command. Arguments: file system, mount point, `overlay` or `direct`,
 * then FROM TO MODE for each bind, `--`, working folder, command.
 */
const ENTER = `set -e
fs=$1 point=$2 kind=$3; shift 3
mount --make-rprivate /
root=$fs
if [ "$kind" = overlay ]; then
  mount -t tmpfs -o mode=755 tmpfs "$point"
  root=$point/root
  mkdir "$point/upper" "$point/work" "$root"
  mount -t overlay -o "lowerdir=$fs,upperdir=$point/upper,workdir=$point/work" overlay "$root"
fi
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for node in null zero full random urandom tty; do
  : >"$root/dev/$node"; mount --bind "/dev/$node" "$root/dev/$node"
done
mkdir "$root/dev/shm" "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"; ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || :
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$2"; else mkdir -p "$(dirname "$root$2")"; : >>"$root$2"; fi
  mount --bind "$1" "$root$2"
  [ "$3" != ro ] || mount -o remount,bind,ro "$root$2"
  shift 3
done
cwd=$2; shift 2
exec chroot "$root" /usr/bin/env -C "$cwd" -- "$@"`;

/**
 * Starts a command inside. It is PID 1 of its namespace: when it ends, all that it started ends too. The returned
 * process is the namespace's outer end: `killInside` ends it with everything inside, and so does our own death.
 */
export function spawnInRoot(
  root: Root,
  command: readonly string[],
  options: EnterOptions = {},
): ChildProcess {
  const { binds = [], env = {}, cwd = '/', stdio = 'pipe', signal, persistent = false } = options;
  const bindArguments = binds.flatMap(({ from, to = from, readOnly }) => [from, to, readOnly ? 'ro' : 'rw']);
  const { fs, mount } = root.paths;
  const view = [fs, mount, persistent ? 'direct' : 'overlay', ...bindArguments, '--', cwd];
  signal?.throwIfAborted();
  const outer = spawn('setpriv', [...NAMESPACES, 'sh', '-c', ENTER, 'enter', ...view, ...command], {
    env: { PATH, HOME: '/root', LC_ALL: 'C.UTF-8', TMPDIR: '/tmp', ...env },
    stdio,
  });
  // Not spawn's own `signal`: that makes the process emit an error, which nobody may be listening for.
  const onAbort = () => {
    killInside(outer);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  outer.once('close', () => signal?.removeEventListener('abort', onAbort));
  return outer;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** For setpriv(1): the command gets namespaces of its own and dies with this process. */
export const NAMESPACES = [
  '--pdeathsig',
  'KILL',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child=KILL',
];

export interface Output {
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs a command inside to its end; rejects, with the end of what it wrote to stderr, when its status is not 0. */
export async function runInRoot(
  root: Root,
  command: readonly string[],
  options: Omit<EnterOptions, 'stdio'> & { readonly input?: string } = {},
): Promise<Output> {
  const { input, ...rest } = options;
  const child = spawnInRoot(root, command, { ...rest, stdio: 'pipe' });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The command was started without pipes.');
  stdin.on('error', () => undefined).end(input);
  const [out, err, status] = await Promise.all([buffer(stdout), buffer(stderr), exitStatus(child)]);
  rest.signal?.throwIfAborted();
  const errors = err.toString();
  if (status === 0) return { stdout: out, stderr: errors };
  throw new Error(`${command.join(' ')} ended with ${String(status)}: ${errors.trim().slice(-2000)}`);
}

/** The exit status, or the name of the signal that ended the process. */
export function exitStatus(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
}
