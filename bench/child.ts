import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleEngine } from '../tools/build/engine.ts';
import { ROOT } from '../tools/lib/paths.ts';
import type { Resource } from './resources.ts';

/** A process of this folder's. */
export interface Child extends Resource {
  readonly pid: number;
  /** The first line of its stdout: a server's is its port. */
  readonly said: number;
}

/** Starts a script of this folder, bundled as the engine is. @throws Error when it ends before it has said a line. */
export async function startChild(script: string, ...args: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, [await bundle(script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const line = await Promise.race([said, exited.then(() => undefined)]);
  if (line === undefined || child.pid === undefined) throw new Error(`${script} has not started`);
  return {
    pid: child.pid,
    said: Number(line[0]),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Makes one file, in the temporary folder, of a script of this folder with all that it imports. */
export async function bundle(script: string): Promise<string> {
  const { code } = await bundleEngine(ROOT, `bench/${script}`, 'bench');
  const file = join(
    await mkdtemp(join(tmpdir(), 'slipstream-script-')),
    basename(script, '.ts').concat('.cjs'),
  );
  await writeFile(file, code);
  return file;
}
