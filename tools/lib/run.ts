import { spawn } from 'node:child_process';
import { ROOT } from './paths.ts';

export interface Finished {
  /** 0 when it went well; 1 when it could not be started or was ended by a signal. */
  readonly status: number;
  /** What it wrote to stdout and stderr, in the order of arrival. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the output also goes to the screen as it comes. */
  readonly echo?: boolean;
}

/** Runs a program to its end and collects its output. Never rejects. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { cwd = ROOT, env = process.env, echo = false } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    const keep = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      chunks.push(chunk);
      if (echo) stream.write(chunk);
    };
    const finish = (status: number) => {
      resolve({ status, output: Buffer.concat(chunks).toString('utf8') });
    };
    child.stdout.on('data', keep(process.stdout));
    child.stderr.on('data', keep(process.stderr));
    child.on('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      finish(1);
    });
    child.on('close', (status) => {
      finish(status ?? 1);
    });
  });
}
