import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import { pause } from '../../src/io/wait.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { serve } from '../support/http-server.ts';
import type { Kodi } from './harness/index.ts';
import { chooseRelease } from './remote-control.ts';
import { ADDON_ID, quitsClean, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';

const root = await rootOrSkip('playback in a real Kodi 21');

/** Where the documentation's pictures go; without it none is taken. */
const PICTURES = process.env['SLIPSTREAM_PICTURES'];

async function picture(kodi: Kodi, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  // Until fades and bars have settled.
  await pause(1500, new AbortController().signal);
  await kodi.screenshot(join(PICTURES, name));
}

const advancesBeyond = (kodi: Kodi, seconds: number) =>
  kodi.until(
    `the time is beyond ${seconds} s`,
    async () => ((await kodi.player.position()) ?? 0) > seconds || undefined,
  );

/** Bytes that the WebDAV server has handed out. */
const fetched = ({ sandbox }: Stage) =>
  sandbox.requests.filter(({ service }) => service === 'webdav').reduce((sum, { sent }) => sum + sent, 0);

describe.skipIf(!root)('playback in a real Kodi 21', () => {
  test('plugin://…/play plays through the proxy: time advances, a seek lands, stop clears the properties', async () => {
    const s = await stage(root!);
    const { kodi, sandbox } = s;
    const mark = kodi.notifications.mark();
    await s.open(`/play?${SINTEL}`);
    await kodi.notifications.wait('Player.OnAVStart', { since: mark });
    await kodi.until(
      'svc.playing',
      async () => (await kodi.homeProperty('svc.playing')) === 'true' || undefined,
    );
    const url = await kodi.homeProperty('svc.stream_url');
    expect(url).toMatch(
      new RegExp(
        `^http://127\\.0\\.0\\.1:${await kodi.homeProperty('svc.proxy_port')}/stream/.*Sintel.*\\.mkv$`,
      ),
    );
    expect(await kodi.homeProperty('svc.active')).toBe('true');
    await advancesBeyond(kodi, 1);
    expect(await kodi.player.duration()).toBeCloseTo(888, 0);

    const clip = sandbox.clipsOf(sandbox.jobs()[0]!.name)[0]!;
    expect(fetched(s), 'the player still has bytes to fetch').toBeLessThan(clip.size / 2);
    await kodi.player.seek(600);
    await advancesBeyond(kodi, 600.5);
    await picture(kodi, 'playback.png');

    await kodi.player.stop();
    await kodi.notifications.wait('Player.OnStop', { since: mark });
    await s.nothingLeft();
    expect(await kodi.homeProperty('svc.proxy_port')).not.toBe('');
    const agents = sandbox.requests
      .filter(({ service }) => service === 'webdav')
      .map(({ headers }) => headers['user-agent']);
    expect(
      agents.filter((agent) => agent?.includes('Kodi') === true && !agent.startsWith('Slipstream')),
    ).toEqual([]);

    await quitsClean(kodi);
  });

  test('RunScript with meta_play plays through the player', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
    await advancesBeyond(kodi, 1);
    expect(await kodi.homeProperty('svc.playing')).toBe('true');
    expect(await kodi.infoLabel('VideoPlayer.Title')).toBe('Sintel');
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('RunScript by path starts itself again by id, so that Kodi can still quit', async () => {
    const { kodi } = await stage(root!);
    await kodi.builtin(`RunScript(special://home/addons/${ADDON_ID}/addon.py,${SINTEL_SCRIPT})`);
    await advancesBeyond(kodi, 1);
    await quitsClean(kodi);
  });

  test('an episode is announced to Kodi as what it is', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await s.open(
      '/play?type=episode&showname=Caminandes&season=1&episode=2&tvdb=990001&showyear=2013&title=Gran%20Dillama',
    );
    await advancesBeyond(kodi, 1);
    expect(await kodi.infoLabel('VideoPlayer.TVShowTitle')).toBe('Caminandes');
    expect([await kodi.infoLabel('VideoPlayer.Season'), await kodi.infoLabel('VideoPlayer.Episode')]).toEqual(
      ['1', '2'],
    );
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('direct_play plays a bare URL through the proxy, without the credentials of anybody', async () => {
    const s = await stage(root!);
    const { kodi, sandbox } = s;
    const clip = mkvClip({ name: 'bare.mkv', seconds: 120, size: 60_000_000 });
    const seen: (string | undefined)[] = [];
    const base = await serve((request, response) => {
      seen.push(request.headers.authorization);
      const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const end = to === '' ? clip.size : Math.min(clip.size, Number(to) + 1);
      response.writeHead(206, {
        'content-length': end - start,
        'content-range': `bytes ${start}-${end - 1}/${clip.size}`,
      });
      response.end(clip.read(start, end));
    });
    await s.open(`/direct_play?url=${encodeURIComponent(`${base}/bare.mkv`)}&title=Bare`);
    await advancesBeyond(kodi, 1);
    expect(await kodi.homeProperty('svc.stream_url')).toMatch(/\/stream\/.*bare\.mkv$/);
    expect(new Set(seen)).toEqual(new Set([undefined]));
    expect(sandbox.requests).toEqual([]);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test("another add-on's playback is left alone", async () => {
    const { kodi } = await stage(root!);
    const clip = mkvClip({ name: 'foreign.mkv', seconds: 60, size: 6_000_000 });
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': clip.size, 'content-type': 'video/x-matroska' });
      response.end(clip.read(0, clip.size));
    });
    await kodi.rpc('Player.Open', { item: { file: `${base}/foreign.mkv` } });
    await advancesBeyond(kodi, 1);
    expect(await kodi.homeProperty('svc.playing')).toBe('');
    await kodi.player.stop();
  });

  test('a film started over another one keeps its own announcement', async () => {
    const s = await stage(root!);
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await advancesBeyond(kodi, 1);
    await kodi.until(
      'the playback lock is free',
      async () => (await kodi.homeProperty('slipstream.starting')) === '' || undefined,
    );
    await s.open('/play?type=movie&title=Elephants%20Dream&year=2006&imdb=tt0807840');
    const url = async () => kodi.homeProperty('svc.stream_url');
    // The video's own name says nothing: that the URL is another one is what tells.
    await kodi.until(
      'the second is announced',
      async () => (await url()).includes('b6f1c2d49e0a') || undefined,
    );
    await kodi.until('the second plays', async () => (await kodi.player.duration()) === 654 || undefined);
    await advancesBeyond(kodi, 1);
    expect(await s.raised()).toEqual(['svc.active', 'svc.stream_url', 'svc.playing']);
    await kodi.player.stop();
    await s.nothingLeft();
  });

  test('the person picks a release with the remote', async () => {
    const s = await stage(root!, { settings: { auto_select: 'false' } });
    const { kodi } = s;
    await s.open('/play?type=movie&title=Big%20Buck%20Bunny&year=2008&imdb=tt1254207');
    await kodi.until(
      'the picker is up',
      async () => (await kodi.log()).includes('slipstream-picker.xml') || undefined,
    );
    const focused = async () => (await kodi.infoLabel('Container(50).ListItem.Label')) || undefined;
    expect(await kodi.until('a row has the focus', focused)).toContain('2160p');
    await picture(kodi, 'picker.png');
    await chooseRelease(kodi, 'TAILINDEX');
    await advancesBeyond(kodi, 1);
    expect(await kodi.homeProperty('svc.stream_url')).toContain('TAILINDEX');
    await kodi.player.stop();
    await s.nothingLeft();
  });
});
