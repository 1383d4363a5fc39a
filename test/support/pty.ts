import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { poll } from '../../src/io/wait.ts';

/** Runs a command on a terminal of its own (80 × 24), and hands on what is typed and what it shows. */
const RELAY = `
import fcntl, os, pty, select, signal, struct, sys, termios
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
watched = [master, 0]
while master in watched:
    for source in select.select(watched, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if not data:
            watched.remove(source)
            if source == 0:
                os.kill(pid, signal.SIGHUP)
        elif source == master:
            os.write(1, data)
        else:
            os.write(master, data)
            os.write(3, b"." * len(data))
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`;

export interface Pty {
  /** Sends keys, as a keyboard does: "\\r" for Enter. Resolves when the terminal has them. */
  type(keys: string): Promise<void>;
  /** All that it has shown. */
  text(): string;
  /** Resolves when it has shown the text behind all that earlier calls waited for; rejects after 20 s. */
  shows(text: string): Promise<void>;
  /** Its exit status. */
  readonly ended: Promise<number>;
}

/** A command on a real terminal; it is gone when the test is over. */
export function openPty(
  command: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Pty {
  const env = { ...process.env, ...options.env, TERM: 'xterm' };
  const child = spawn('python3', ['-c', RELAY, ...command], {
    ...options,
    env,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  child.stdin!.on('error', () => undefined);
  let sent = 0;
  let arrived = 0;
  child.stdio[3]?.on('data', (acknowledged: Buffer) => {
    arrived += acknowledged.length;
  });
  const type = async (keys: string) => {
    sent += Buffer.byteLength(keys);
    const until = sent;
    child.stdin!.write(keys);
    await polled(
      () => arrived >= until,
      () => `"${keys}" did not arrive`,
    );
  };
  let shown = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (status) => {
      resolve(status ?? -1);
    });
  });
  onTestFinished(async () => {
    // Hangs up, so that the command ends as it does when its window is closed, and writes nothing any more.
    child.stdin!.end();
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
  });
  let seen = 0;
  const shows = async (text: string) => {
    const isThere = () => {
      const at = shown.indexOf(text, seen);
      if (at >= 0) seen = at + text.length;
      return at >= 0;
    };
    await polled(isThere, () => `"${text}" is not shown behind:\n${shown}`);
  };
  return { type, text: () => shown, shows, ended };
}

/** Waits for 20 s at the most. */
async function polled(isSo: () => boolean, otherwise: () => string): Promise<void> {
  const options = { signal: new AbortController().signal, interval: () => 20, deadline: 20_000 };
  const came = await poll(() => Promise.resolve(isSo() || undefined), options);
  if (came !== true) throw new Error(otherwise());
}
