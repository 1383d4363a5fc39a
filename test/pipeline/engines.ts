import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { type Engine, startEngine } from '../support/engine.ts';
import { LeakDetector } from '../support/secret-leaks.ts';

/** The built engines as Kodi would run them: one service, and a plugin process per play, in one data folder. */
export interface Engines {
  readonly sandbox: Sandbox;
  readonly service: Engine;
  /** What the engines let out so far; complete once `gather` was called. */
  readonly evidence: LeakDetector;
  /** Plays in a process of its own, to its end. */
  play(path: string, settings?: Readonly<Record<string, string>>): Promise<Engine>;
  /** Asks the proxy, with its token. */
  ask(path: string, init?: Omit<RequestInit, 'headers'>): Promise<Response>;
  /** Ends the service and takes in what all of them left: logs, calls, properties, files. */
  gather(): Promise<LeakDetector>;
}

/** @param serviceKnows What the service finds in the settings; those of the sandbox when absent. */
export async function startEngines(serviceKnows?: Readonly<Record<string, string>>): Promise<Engines> {
  const sandbox = await startSandbox({ jobDuration: 50 });
  onTestFinished(() => sandbox.close());
  const dataFolder = mkdtempSync(join(tmpdir(), 'slipstream-engines-'));
  onTestFinished(() => {
    rmSync(dataFolder, { recursive: true });
  });
  const evidence = new LeakDetector();
  const engines: [string, Engine][] = [];
  const start = (name: string, options: Omit<Parameters<typeof startEngine>[0], 'dataFolder'>) => {
    const engine = startEngine({ ...options, dataFolder });
    engines.push([name, engine]);
    onTestFinished(async () => {
      engine.child.kill('SIGKILL');
      await engine.ended;
    });
    // Linux tells of no argv yet in the instant when a program takes the place of the one that started it. So it is read
    // when the engine says its first word.
    engine.child.stdout?.once('data', () => {
      if (engine.child.pid !== undefined) evidence.addProcess(name, engine.child.pid);
    });
    return engine;
  };
  const service = start('service', {
    command: 'service',
    start: { listen: { port: 0 } },
    settings: serviceKnows ?? sandbox.settings,
  });
  const property = (name: string) => service.properties.get(name) ?? '';
  await expect.poll(() => property('svc.proxy_port'), { timeout: 15_000 }).not.toBe('');
  const ask = (path: string, init: Omit<RequestInit, 'headers'> = {}) =>
    fetch(`http://127.0.0.1:${property('svc.proxy_port')}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${property('svc.proxy_token')}` },
    });
  return {
    sandbox,
    service,
    evidence,
    ask,
    play: async (path, settings = {}) => {
      const [route, query = ''] = path.split('?');
      const plugin = start('plugin', {
        command: 'plugin',
        start: { argv: [`plugin://plugin.video.slipstream${route}`, '1', `?${query}`, 'resume:false'] },
        settings: { ...sandbox.settings, auto_select: 'true', download_timeout: '10', ...settings },
        properties: service.properties,
      });
      await plugin.ended;
      return plugin;
    },
    gather: async () => {
      evidence.add('status', await (await ask('/status')).text());
      service.notify('abort', {});
      await service.ended;
      for (const [name, engine] of engines) {
        evidence.add(`${name}: log`, engine.stderr.join(''));
        evidence.add(`${name}: calls`, engine.calls.filter(isSeen));
        evidence.add(`${name}: properties`, [...engine.properties]);
      }
      evidence.addFolder('data', dataFolder);
      return evidence;
    },
  };
}

/**
 * The snapshot is the one call in which secrets must stand: a replacement engine needs the sources' credentials. The
 * host keeps it in its memory, looks into it nowhere, and writes it nowhere.
 */
const isSeen = ({ method }: { readonly method: string }) => method !== 'snapshot.save';
