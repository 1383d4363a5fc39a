import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localFiles } from '../../src/host/terminal/files.ts';
import { configuredBackends, playbackBackend } from '../../src/router.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { memoryLog } from '../support/log.ts';

const WEBDAV = { webdav_api_url: 'http://127.0.0.1:1' };
const NZBGET = { nzbget_url: 'http://127.0.0.1:2' };
const DIRECT = { direct_url: 'http://127.0.0.1:3' };

function context() {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return { files: localFiles, folder, log: memoryLog() };
}

describe('the backend that plays', () => {
  test.each([
    ['webdav', 'webdav http://127.0.0.1:1'],
    ['nzbget', 'nzbget http://127.0.0.1:2'],
    ['direct', 'direct http://127.0.0.1:3'],
  ])('is the chosen one: %s', async (playback_backend, identity) => {
    const settings = parseSettings({ ...WEBDAV, ...NZBGET, ...DIRECT, playback_backend });
    expect(await playbackBackend(settings, context())).toMatchObject({ identity });
  });

  test.each(['webdav', 'nzbget', 'direct'])(
    'is asked for when %s is not set up',
    async (playback_backend) => {
      const settings = parseSettings({
        ...WEBDAV,
        ...NZBGET,
        ...DIRECT,
        playback_backend,
        [ADDRESS[playback_backend] ?? '']: '',
      });
      await expect(playbackBackend(settings, context())).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
    },
  );

  test('is none for streams that need none, and takes no NZB then', async () => {
    const settings = parseSettings({ stremio_url: 'https://addon.example/secret/manifest.json' });
    const backend = await playbackBackend(settings, context());
    expect(backend.identity).toBe('links only');
    const listed = context();
    writeFileSync(
      join(listed.folder, 'sources.json'),
      JSON.stringify({
        version: 1,
        value: [{ kind: 'stremio', name: 'Example', url: 'https://addon.example/x' }],
      }),
      { mode: 0o600 },
    );
    expect(await playbackBackend(parseSettings({}), listed)).toMatchObject({ identity: 'links only' });
  });
});

const ADDRESS: Readonly<Record<string, string>> = {
  webdav: 'webdav_api_url',
  nzbget: 'nzbget_url',
  direct: 'direct_url',
};

test('every backend that is set up is looked after, and one whose address is none harms no other', async () => {
  const settings = parseSettings({ ...WEBDAV, ...NZBGET, direct_url: 'not an address' });
  const found = await configuredBackends(settings, context());
  expect(found.map(({ via }) => via)).toEqual(['proxy', 'player']);
});
