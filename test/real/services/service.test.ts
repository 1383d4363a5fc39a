import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { poll } from '../../../src/io/wait.ts';
import { rootOrSkip } from '../../../tools/debian-root/index.ts';
import { NewsConnection } from '../../support/usenet/nntp.ts';
import { startNewsServer } from '../usenet/news-server.ts';
import { serviceFolder, startService } from './service.ts';

const root = await rootOrSkip('servers of the Debian root');

const answers = async (port: number) => {
  try {
    (await NewsConnection.open(port)).close();
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!root)('a server of the Debian root', () => {
  it('is gone with its folder when it is ended', async () => {
    const news = await startNewsServer(root!);
    expect(await answers(news.port)).toBe(true);
    await news.end();
    expect(await answers(news.port)).toBe(false);
    await news.end();
  });

  it('runs without privileges', async () => {
    const folder = await serviceFolder('probe');
    const script = 'exec 2>&1; id -un; id -G; touch /etc/mine; echo done >"$HOME/done"; sleep 1000';
    const command = ['sh', '-c', script];
    const isReady = () => Promise.resolve(existsSync(join(folder, 'done')));
    const probe = await startService(root!, { name: 'Probe', folder, user: 'nobody', command, isReady });
    await probe.end();
    expect(probe.output()).toMatch(/^nobody\n65534\n.*Permission denied/);
    expect(existsSync(folder)).toBe(false);
  });

  it('says why it did not start, and leaves nothing', async () => {
    const folder = await serviceFolder('probe');
    const command = ['sh', '-c', 'echo no such luck >&2; exit 1'];
    const isReady = () => Promise.resolve(false);
    const starting = startService(root!, { name: 'Probe', folder, user: 'nobody', command, isReady });
    await expect(starting).rejects.toThrow(/Probe ended at once\.\nno such luck/);
    expect(existsSync(folder)).toBe(false);
  });

  it('dies with the process that has started it, however that went', async () => {
    const folder = await serviceFolder('starter');
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = join(folder, 'starter.mjs');
    const server = new URL('../usenet/news-server.ts', import.meta.url).href;
    await writeFile(
      script,
      `import { startNewsServer } from ${JSON.stringify(server)};
       process.send((await startNewsServer(${JSON.stringify(root)})).port);`,
    );
    const starter = fork(script, {
      execArgv: ['--import', 'tsx'],
      // Whoever is killed leaves a folder.
      env: { ...process.env, TMPDIR: folder },
    });
    const [port] = (await once(starter, 'message')) as [number];
    expect(await answers(port)).toBe(true);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    const look = async () => ((await answers(port)) ? undefined : true);
    const { signal } = new AbortController();
    expect(await poll(look, { signal, interval: () => 20, deadline: 10_000 })).toBe(true);
  });
});
