import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whenQuery } from '../../sandbox/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { ADDON_ID, SINTEL, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('lost engines in a real Kodi 21');

const servicePid = ({ engines }: Stage): number => engines('service')[0]!;

/** Signals the service's engine and waits for another one in its place. */
async function loseService(s: Stage, signal: NodeJS.Signals): Promise<void> {
  const before = servicePid(s);
  process.kill(before, signal);
  await s.kodi.until('another engine runs', () => {
    const now = s.engines('service');
    return Promise.resolve((now.length === 1 && now[0] !== before) || undefined);
  });
}

/** The add-on's notes of jobs that were not handed over yet. */
const ledgerOf = ({ kodi }: Stage): Promise<string[]> =>
  readdir(join(kodi.profile.folder, '.kodi/userdata/addon_data', ADDON_ID, 'ledger'));

describe.skipIf(!root)('an engine that is lost', () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'service, %s during playback: replaced with the same port, token and sessions, and the film goes on',
    async (signal) => {
      const s = await stage(root!);
      const { kodi } = s;
      await s.open(`/play?${SINTEL}`);
      await kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);
      const before = [await kodi.homeProperty('svc.proxy_port'), await kodi.homeProperty('svc.proxy_token')];
      await loseService(s, signal);
      expect([await kodi.homeProperty('svc.proxy_port'), await kodi.homeProperty('svc.proxy_token')]).toEqual(
        before,
      );
      await kodi.player.seek(500);
      await kodi.until('a seek lands', async () => ((await kodi.player.position()) ?? 0) > 501 || undefined);
      expect(await kodi.homeProperty('svc.playing')).toBe('true');
      await kodi.player.stop();
      await s.nothingLeft();
    },
  );

  test('service, stopped playback while it hung: its replacement learns that nothing plays', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await kodi.until('it plays', async () => ((await kodi.player.position()) ?? 0) > 1 || undefined);
    await kodi.until('it is watched', async () => (await s.raised()).length === 3 || undefined);
    const hung = servicePid(s);
    process.kill(hung, 'SIGSTOP');
    // Well before three pings have gone unanswered.
    await kodi.player.stop();
    expect(servicePid(s)).toBe(hung);
    await s.nothingLeft();
    expect(servicePid(s)).not.toBe(hung);
  });

  test('a hung plugin engine never traps the person: Back closes the window', async () => {
    const s = await stage(root!, { settings: { auto_select: 'false' } });
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await kodi.until(
      'a row has the focus',
      async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined,
    );
    for (const pid of s.engines('plugin')) process.kill(pid, 'SIGSTOP');
    await kodi.rpc('Input.Back');
    await s.nothingLeft();
    await s.open(`/play?${SINTEL}`);
    await kodi.until(
      'the next play works',
      async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined,
    );
  });

  test('a plugin engine that is killed answers the resolve with nothing', async () => {
    const s = await stage(root!);
    s.sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'movie') });
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until('it searches', () => Promise.resolve(s.sandbox.requests.length > 0 || undefined));
    for (const pid of s.engines('plugin')) process.kill(pid, 'SIGKILL');
    await s.nothingLeft();
  });

  test('Kodi killed during playback: no engine is left, and the next start knows nothing of it and plays', async () => {
    const s = await stage(root!);
    await s.open(`/play?${SINTEL}`);
    await s.kodi.until('it plays', async () => ((await s.kodi.player.position()) ?? 0) > 1 || undefined);
    const [played] = s.sandbox.jobs();
    expect(await s.kodi.crash()).toMatchObject({ left: [] });
    const next = await s.startAgain();
    expect(await next.raised()).toEqual([]);
    expect(await next.sessions()).toEqual([]);
    await next.open(`/play?${SINTEL}`);
    await next.kodi.until(
      'it plays again',
      async () => ((await next.kodi.player.position()) ?? 0) > 1 || undefined,
    );
    expect(next.sandbox.jobs().map(({ name }) => name)).toContain(played?.name);
  });

  test('Kodi killed during a download, while the backend is away: the next start removes the job', async () => {
    const s = await stage(root!);
    const { kodi, sandbox } = s;
    sandbox.faults.job = { kind: 'stuck', percent: 40 };
    await s.open(`/play?${SINTEL}`);
    await kodi.until('its progress is looked at', () =>
      Promise.resolve(sandbox.requests.some(({ query }) => query['mode'] === 'queue') || undefined),
    );
    expect(await ledgerOf(s)).toHaveLength(1);
    await sandbox.shut('api');
    expect(await kodi.crash()).toMatchObject({ left: [] });
    expect(sandbox.queueLength()).toBe(1);
    expect(await ledgerOf(s)).toHaveLength(1);
    await sandbox.open('api');
    const next = await s.startAgain();
    await next.kodi.until('the job is removed', () =>
      Promise.resolve(sandbox.jobs().length === 0 || undefined),
    );
    await next.kodi.until(
      'the ledger is empty',
      async () => (await ledgerOf(next)).length === 0 || undefined,
    );
  });
});
