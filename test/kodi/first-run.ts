import { answer, choose, focused, pick, write } from './remote-control.ts';
import { ADDON_ID, type Stage } from './slipstream.ts';

/** Slipstream needs Node.js, which the system has not: it offers to install it, and Kodi asks once more. */
export async function openMenuWithoutNode({ kodi }: Stage): Promise<void> {
  // Not by JSON-RPC, which waits for the listing, and so for the answers.
  await kodi.builtin(`ActivateWindow(videos,plugin://${ADDON_ID}/,return)`);
  await kodi.until('the focus is on Install', async () => (await focused(kodi)) === 'Install' || undefined);
  await choose(kodi, 'Install');
  await answer(kodi, 'Yes');
}

/** From the opened add-on to the test film, by keys alone, with one wrong key on the way. */
export async function setUp({ kodi, sandbox }: Stage): Promise<void> {
  // It opens by itself.
  await pick(kodi, 'Set up Slipstream: what do you search with?', 'Indexer');
  await pick(kodi, 'Which indexer?', 'Another one');
  await write(kodi, 'Indexer address', sandbox.indexer.url);
  await write(kodi, 'Indexer API key', 'wrong-key');
  await pick(kodi, 'Indexer does not work yet', 'Change it');
  await write(kodi, 'Indexer API key', sandbox.indexer.apiKey);
  await pick(kodi, 'What gets a release ready', 'nzbdav');
  await write(kodi, 'nzbdav address', sandbox.backend.apiUrl);
  await write(kodi, 'nzbdav API key', sandbox.backend.apiKey);
  await write(kodi, 'WebDAV password', sandbox.backend.password);
  await pick(kodi, 'Everything is set up', 'Play Big Buck Bunny');
}
