import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { execPath, platform } from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { coresOf, loadCores, SPIN } from './cpu-load.ts';

const isThere = (id: number) => existsSync(`/proc/${id}`);

describe.skipIf(platform !== 'linux')('the load', () => {
  let ids: number[] = [];

  test('is so many processes on each core', async () => {
    ids = await loadCores(2);
    // taskset sets the core after its own start.
    await expect.poll(() => ids.map(coresOf)).toEqual(coresOf('self').flatMap((core) => [[core], [core]]));
  });

  test('is gone after the test', () => {
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter(isThere)).toEqual([]);
  });

  test('goes with a test run that is killed', async () => {
    const run = spawn('sh', ['-c', '"$0" -e "$1" $$ >/dev/null & echo $!; read _', execPath, SPIN]);
    onTestFinished(() => void run.kill('SIGKILL'));
    const [id] = (await once(run.stdout, 'data')) as [Buffer];
    expect(isThere(Number(id))).toBe(true);
    run.kill('SIGKILL');
    await expect.poll(() => isThere(Number(id))).toBe(false);
  });
});
