import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { startFileServer } from '../support/file-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ADDON, SINTEL, stage } from './slipstream.ts';

const root = await rootOrSkip('addresses that Kodi takes for a list, in a real Kodi 21');

const WITNESS_ID = 'plugin.video.witness';

const DECLARATION = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<addon id="${WITNESS_ID}" name="Witness" version="1.0.0" provider-name="Slipstream's tests">
  <requires><import addon="xbmc.python" version="3.0.0"/></requires>
  <extension point="xbmc.python.pluginsource" library="witness.py"><provides>video</provides></extension>
  <extension point="xbmc.addon.metadata"><platform>all</platform></extension>
</addon>
`;

/** Tells that it was started, whatever for. */
const PROGRAM = `
import sys
import xbmcgui
import xbmcplugin

xbmcgui.Window(10000).setProperty("witness", "started")
xbmcplugin.setResolvedUrl(int(sys.argv[1]), False, xbmcgui.ListItem(offscreen=True))
`;

/** An add-on that anybody may have installed. */
async function witness(): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'addon.xml'), DECLARATION);
  await writeFile(join(folder, 'witness.py'), PROGRAM);
  return folder;
}

const NAME = 'Sintel.2010.1080p.WEB-DL.H.264-ISHTAR';
const SIZE = 1_500_000_000;

/** A film for everybody but Kodi, which gets a list that names the witness. */
async function twoFacedFile(ending: string): Promise<string> {
  const list = `plugin://${WITNESS_ID}/\n`;
  const server = await startFileServer(SIZE, ({ headers }) =>
    headers['user-agent']?.includes('Kodi/') === true
      ? // A success, with a body of the test's own.
        { status: 203, words: list, headers: { 'content-type': 'application/octet-stream' } }
      : {},
  );
  onTestFinished(() => server.close());
  return new URL(`/${NAME}.${ending}`, server.url).href;
}

/** A Stremio add-on that lists this address for Sintel. */
async function addonListing(url: string): Promise<string> {
  const answers = (path: string): object =>
    path === '/manifest.json'
      ? { id: 'org.example', version: '1.0.0', name: 'Example', resources: ['stream'], types: ['movie'] }
      : {
          streams: [
            {
              name: 'Example 1080p',
              description: NAME,
              url,
              behaviorHints: { filename: `${NAME}.mkv`, videoSize: SIZE },
            },
          ],
        };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answers(request.url ?? '')));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json`;
}

describe.skipIf(!root)('an address that Kodi would take for a list', () => {
  test.each(['strm', 'm3u'])('starts no add-on: .%s', async (ending) => {
    const stremio_url = await addonListing(await twoFacedFile(ending));
    const settings = { indexer_url: '', webdav_api_url: '', stremio_url, direct_by_proxy: 'false' };
    const s = await stage(root!, { settings, kodi: { addons: [ADDON, await witness()] } });
    const { kodi } = s;
    await s.open(`/play?${SINTEL}`);
    await kodi.until(
      'it is told why the film does not play',
      async () => (await kodi.log()).includes(`its address ends in ".${ending}"`) || undefined,
    );
    await s.nothingLeft();
    expect(await kodi.homeProperty('witness')).toBe('');
    expect(await kodi.player.position()).toBeUndefined();
  });
});
