import { spawn } from 'node:child_process';
import { SlipstreamError } from '../../errors/index.ts';
import type { PlayerEvent } from '../port.ts';

/** Splits "mpv --fs 'a b'" into its words, without a shell: quotation marks group, nothing else is special. */
export function splitCommand(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return [...words].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

export interface PlayerListeners {
  readonly onEvent: (event: PlayerEvent) => void;
  /** Hears, in words, why the player failed. */
  readonly onProblem: (what: string) => void;
}

/**
 * Starts the person's player with the URL as its last argument, and tells what becomes of it. It is ended when the
 * signal aborts. Resolves once it runs.
 * @throws HOST_FAILED when it cannot be started.
 */
export async function startPlayer(
  command: string,
  url: string,
  signal: AbortSignal,
  { onEvent: tell, onProblem: complain }: PlayerListeners,
): Promise<void> {
  signal.throwIfAborted();
  const [program, ...args] = splitCommand(command);
  if (program === undefined || program === '') throw cannotStartError(command);
  const child = spawn(program, [...args, url], { stdio: 'ignore' });
  const end = () => {
    child.kill();
  };
  signal.addEventListener('abort', end);
  child.once('close', (status, killer) => {
    signal.removeEventListener('abort', end);
    const kind = status === 0 ? 'ended' : signal.aborted ? 'stopped' : 'error';
    if (kind === 'error') complain(`The player "${program}" ended with ${killer ?? `status ${status}`}.`);
    tell({ kind, file: url });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      reject(cannotStartError(program, cause));
    });
  });
  tell({ kind: 'started', file: url });
  tell({ kind: 'av-started', file: url });
}

function cannotStartError(program: string, cause?: Error): SlipstreamError {
  return new SlipstreamError(
    'HOST_FAILED',
    { what: `The player "${program}" cannot be started.`, next: 'Check its name and that it is installed.' },
    { cause },
  );
}
