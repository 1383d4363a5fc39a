// The outside of guest.sh: starts it in the root and follows what it tells.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Bind, InnerProcess, Root } from '../../../tools/debian-root/index.ts';
import { exitStatus, killInside, processesInside, spawnInRoot } from '../../../tools/debian-root/index.ts';
import type { Profile } from './profile.ts';

const SCRIPT = '/run/guest.sh';

export interface GuestOptions {
  /** WIDTHxHEIGHT of the screen. */
  readonly size: string;
  readonly binds: readonly Bind[];
  readonly env: Readonly<Record<string, string>>;
}

export class Guest {
  /** Kodi's exit status; 128 and more for a signal. Undefined while it runs or when it was never seen to end. */
  exit: number | undefined;
  /** The X display, for screenshots. */
  display: string | undefined;
  /** Resolves when the namespace is gone, with everything in it. */
  readonly gone: Promise<void>;
  private isGone = false;
  private errors = '';
  private kodi: number | undefined;
  private own: readonly number[] = [];
  private readonly outer: ChildProcess;

  constructor(root: Root, profile: Profile, { size, binds, env }: GuestOptions) {
    const script = { from: fileURLToPath(new URL('guest.sh', import.meta.url)), to: SCRIPT, readOnly: true };
    this.outer = spawnInRoot(root, ['sh', SCRIPT, profile.folder, size, ...profile.addonIds], {
      binds: [{ from: profile.folder }, script, ...binds],
      env,
    });
    const { stdout, stderr } = this.outer;
    if (!stdout || !stderr) throw new Error('Kodi was started without pipes.');
    stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    createInterface({ input: stdout }).on('line', (line) => {
      this.hear(line);
    });
    this.gone = exitStatus(this.outer).then(() => {
      this.isGone = true;
    });
  }

  /** Throws when the guest has ended or Kodi has. */
  assertAlive(): void {
    if (this.isGone) throw new Error(`Kodi's surroundings did not come up: ${this.errors.trim()}`);
    if (this.exit !== undefined) throw new Error(`Kodi has ended with status ${this.exit}.`);
  }

  /** Kodi and all that it started, without what the harness itself runs beside it. */
  processes(): InnerProcess[] {
    return processesInside(this.outer).filter(({ inner }) => !this.own.includes(inner));
  }

  /** Ends Kodi alone, hard; what it had started lives on for as long as it wants. */
  killKodi(signal: NodeJS.Signals): void {
    const kodi = this.processes().find(({ inner }) => inner === this.kodi);
    if (kodi) process.kill(kodi.pid, signal);
  }

  /** Ends everything in the namespace. */
  async end(): Promise<void> {
    killInside(this.outer);
    await this.gone;
  }

  private hear(line: string): void {
    const [word, ...rest] = line.split(' ');
    if (word === 'own') this.own = rest.map(Number);
    else if (word === 'display') this.display = rest[0];
    else if (word === 'kodi') this.kodi = Number(rest[0]);
    else if (word === 'exit') this.exit = Number(rest[0]);
  }
}
