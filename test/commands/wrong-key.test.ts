import { expect, test } from 'vitest';
import { playing } from './playing.ts';

/** What was entered in place of the right one, and what is right in the others. */
const SECRETS = /wrong-one|canary/;

test.each([
  [
    'indexer_api_key',
    'The indexer Sandbox refused the API key. Run "slipstream setup" and enter the API key of Sandbox again.',
  ],
  [
    'webdav_api_key',
    'nzbdav refused the API key. Copy it from the settings of nzbdav, SABnzbd. Enter it with "slipstream setup".',
  ],
  [
    'webdav_password',
    'The WebDAV of nzbdav refused the user or password. Copy both from the settings of nzbdav, WebDAV; the password is ' +
      'not the API key. Enter both with "slipstream setup".',
  ],
] as const)(
  'a play with a wrong %s ends with what to do about it',
  async (setting, told) => {
    const shell = await playing({}, { [setting]: 'wrong-one' });
    expect(await shell.ended).toBe(1);
    const shown = shell.text().replaceAll(/\s+/g, ' ');
    // The command names the files of the test as well.
    expect(shown.replaceAll(/ --(?:settings|data) [^\s"]+/g, '')).toContain(told);
    expect(shell.text()).not.toMatch(SECRETS);
  },
  60_000,
);
