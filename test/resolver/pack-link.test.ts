import { describe, expect, onTestFinished, test } from 'vitest';
import type { MediaRequest } from '../../src/model/index.ts';
import { HEADS } from '../media/heads.ts';
import { startFileServer } from '../support/file-server.ts';
import { playLink } from './play-link.ts';

const SIZE = 300_007;
/** The play address has no ending: the player's way is told by the file's first bytes. */
const MATROSKA = Object.values(HEADS.mkv)[0]!.subarray(0, 4096);
const PACK = 'Cured.Tower.S01.1080p.WEB.h264-OAKC';
const TOWER: MediaRequest = {
  kind: 'episode',
  title: 'Cured Tower',
  ids: {},
  episode: { season: 1, episode: 2 },
};

/** An episode out of a pack, whose row tells the pack's size as long as it was never opened. */
async function play(name: string | undefined, options: Parameters<typeof playLink>[1]) {
  const headers = {
    'content-type': 'video/x-matroska',
    ...(name !== undefined && { 'content-disposition': `inline; filename="${name}"` }),
  };
  const files = await startFileServer(SIZE, () => ({ headers }), { head: MATROSKA });
  onTestFinished(() => files.close());
  const url = new URL('/play/1', files.url).href;
  return await playLink({ url }, { name: PACK, size: 40 * SIZE, request: TOWER, ...options });
}

describe.each(['proxy', 'player'] as const)('an episode of a pack, through the %s', (via) => {
  test('is not measured by the size of the pack', async () => {
    const { outcome, told } = await play('Cured.Tower.S01E02.1080p.WEB.h264-OAKC.mkv', { via });
    expect(outcome).toMatchObject({ stream: { size: SIZE }, origin: { release: { name: PACK } } });
    expect(told).toEqual([]);
  });

  test('is known by a name whose blanks are encoded', async () => {
    const { outcome } = await play('Cured%20Tower%20S01E02%20720p.mkv', { via });
    expect(outcome).toMatchObject({ stream: { size: SIZE } });
    if (via === 'proxy') expect(outcome).toMatchObject({ stream: { name: 'Cured Tower S01E02 720p.mkv' } });
  });

  test('nor is it where nobody has read the name of the release before', async () => {
    const { outcome } = await play('cured.tower.s01e02.mkv', { via, isRead: false });
    expect(outcome).toMatchObject({ stream: { size: SIZE } });
  });

  test.each([
    ['that is another one', 'cured.tower.s01e03.mkv'],
    ['that nobody names', undefined],
  ])('%s is refused, and nothing is called damaged', async (_what, name) => {
    const { outcome, sessions } = await play(name, { via });
    expect(outcome).toMatchObject({ failure: { code: 'NO_VIDEO', broken: false } });
    expect(sessions).toBe(0);
  });

  test('of a file that nobody names it is said that nobody can tell', async () => {
    const { outcome } = await play(undefined, { via });
    const what = 'The release holds several videos, and nobody can tell which episode is which.';
    expect(outcome).toMatchObject({ failure: { explanation: { what } } });
  });

  test('a single episode is measured', async () => {
    const { outcome } = await play(undefined, { via, name: 'Cured.Tower.S01E02.1080p.WEB.h264-OAKC' });
    expect(outcome).toMatchObject({ failure: { code: 'DAMAGED' } });
  });
});
