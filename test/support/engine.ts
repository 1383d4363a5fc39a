import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KodiEnd, kodiEnd } from './fake-kodi.ts';

/** The built engine as a process of its own, with the test playing Kodi's host on its stdio. */
export interface Engine extends KodiEnd {
  readonly child: ChildProcess;
  readonly stderr: string[];
  readonly dataFolder: string;
  /** Resolves with the exit status (or the signal's name) once the process has ended. */
  readonly ended: Promise<number | string>;
}

export const ENGINE_FILE = join(
  import.meta.dirname,
  '../../dist/plugin.video.slipstream/resources/engine/engine.cjs',
);

export interface EngineOptions {
  readonly command: 'plugin' | 'service';
  /** Parts of the start message (docs/bridge.md) that differ from the defaults. */
  readonly start?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly properties?: ReadonlyMap<string, string>;
  readonly dataFolder?: string;
  readonly node?: string;
  /** Beside the little that every engine gets. */
  readonly env?: Readonly<Record<string, string>>;
}

export function startEngine(options: EngineOptions): Engine {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'slipstream-engine-'));
  const child = spawn(options.node ?? process.execPath, [ENGINE_FILE, options.command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(dataFolder, 'compile-cache'),
      ...options.env,
    },
  });
  // A write to an engine that has been killed is part of the tests.
  child.stdin.on('error', () => undefined);
  const end = kodiEnd(child.stdin, child.stdout);
  Object.assign(end.settings, options.settings);
  for (const [name, value] of options.properties ?? []) end.properties.set(name, value);
  const stderr: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString('utf8')));
  const ended = new Promise<number | string>((resolve) => {
    child.on('exit', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
  end.notify('start', {
    entry: options.command === 'service' ? 'service' : 'resolve',
    argv: [],
    handle: options.command === 'service' ? -1 : 1,
    addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
    data: dataFolder,
    kodi: '21.2',
    ...options.start,
  });
  return { ...end, child, stderr, dataFolder, ended };
}
