import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { editListedSources, listedSource } from '../../../src/settings/index.ts';
import { runFirstRun } from '../../../src/setup/index.ts';
import { runPhoneSetup } from '../../../src/setup/phone/index.ts';
import { startLab } from '../../connections/labs.ts';
import { act, during, KEYS, stage } from '../stage.ts';

// The phone's side has tests of its own, and needs a local network; here it is what it comes to that counts.
vi.mock('../../../src/setup/phone/index.ts', () => ({ runPhoneSetup: vi.fn() }));
const phone = vi.mocked(runPhoneSetup);

beforeEach(() => {
  phone.mockReset();
});

/** The phone enters this, and is done. */
const enters = (values: Readonly<Record<string, string>>) =>
  phone.mockImplementation(async ({ host }) => {
    await host.writeSettings(values);
    return true;
  });

test('what was entered on the phone is tested here, told, and not asked again', async () => {
  const staged = await stage();
  enters(staged.sandbox.settings);
  await act('first-run', staged, async (person) => {
    await person.choose('phone');
    expect(await person.waitFor('choice')).toMatchObject({
      title: 'Everything works',
      rows: [
        { label: 'Play Big Buck Bunny' },
        { label: 'Finish' },
        { label: 'Indexer', detail: expect.stringContaining('works') as string },
        { label: 'nzbdav', detail: expect.stringContaining('works') as string },
      ],
    });
    await person.choose('play');
  });
  expect(staged.played).toHaveLength(1);
});

test('what is not proven yet is not said to work at the end', async () => {
  const staged = await stage();
  const { settings } = await startLab('nzbget');
  const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
  enters({ indexer_url, indexer_api_key, ...settings, playback_backend: 'nzbget' });
  await act('phone', staged, async (person) => {
    const { title, rows } = await person.choose('play');
    expect(title).toBe('Everything is set up, but not all is proven yet');
    expect(rows.at(-1)).toMatchObject({
      label: 'NZBGet',
      detail: 'not proven yet: NZBGet has finished nothing yet that could be looked for',
    });
  });
});

test('what does not work there is told and mended before the film is offered', async () => {
  const staged = await stage();
  enters({ ...staged.sandbox.settings, webdav_api_key: 'wrong-key' });
  await act('phone', staged, async (person) => {
    const { title, rows } = await person.waitFor('choice');
    expect(title).toBe('Something does not work yet');
    expect(rows.map(({ label }) => label)).toEqual(['nzbdav', 'Indexer', 'Go on']);
    expect(rows[0]?.detail).toContain('refused');
    await person.choose('1');
    await person.confirm(true);
    await person.write(staged.sandbox.backend.apiKey);
    await person.goOn();
    expect((await person.choose('play')).title).toBe('Everything works');
  });
  expect(staged.played).toHaveLength(1);
});

test('what does not work there can be left, and the end says so', async () => {
  const staged = await stage();
  enters({ ...staged.sandbox.settings, webdav_api_key: 'wrong-key' });
  await act('phone', staged, async (person) => {
    await person.choose('go-on');
    const { title, rows } = await person.choose('end');
    expect(title).toBe('Everything is set up, but not all of it works');
    expect(rows.at(-1)?.detail).toContain('refused');
    await person.goOn();
  });
});

describe('Back from what the phone has entered', () => {
  test('leads out of what began with it, and to no new code', async () => {
    const staged = await stage();
    enters({ ...staged.sandbox.settings, webdav_api_key: 'wrong-key' });
    await act('phone', staged, async (person) => {
      expect((await person.back()).title).toBe('Something does not work yet');
    });
    expect(phone).toHaveBeenCalledTimes(1);
  });

  test('does so while it is tested', async () => {
    const staged = await stage({
      onProgress: ({ stage: now }, host) => {
        if (now.startsWith('Indexer: ')) host.cancel();
      },
    });
    enters(staged.sandbox.settings);
    staged.sandbox.faults.api = [{ kind: 'hang' }];
    await act('phone', staged, () => Promise.resolve());
    expect(phone).toHaveBeenCalledTimes(1);
  });

  test('does so where what searches is still to be entered here', async () => {
    const staged = await stage();
    const { indexer_url: _, ...rest } = staged.sandbox.settings;
    enters({ ...rest, playback_backend: 'webdav' });
    await act('phone', staged, async (person) => {
      expect((await person.back()).title).toContain('What do you search with?');
    });
    expect(phone).toHaveBeenCalledTimes(1);
  });

  test('leads to the ways where others were offered', async () => {
    const staged = await stage();
    enters({ ...staged.sandbox.settings, webdav_api_key: 'wrong-key' });
    await act('first-run', staged, async (person) => {
      await person.choose('phone');
      await person.back();
      expect((await person.back()).title).toBe('Set up Slipstream');
    });
    expect(phone).toHaveBeenCalledTimes(1);
  });
});

test('what is silent holds nobody up a second time', async () => {
  const staged = await stage();
  enters(staged.sandbox.settings);
  staged.sandbox.faults.api = [{ kind: 'hang' }];
  const running = runFirstRun(staged.context, { withPhone: true, testTimeout: 1_000 });
  await during(running, staged, async (person) => {
    const { rows } = await person.waitFor('choice');
    expect(rows[0]).toMatchObject({
      label: 'nzbdav',
      detail: 'The test of nzbdav takes longer than 1 seconds.',
    });
    await person.choose('go-on');
    await person.choose('end');
    await person.goOn();
  });
});

test('a film is offered once what searches is mended at the very end', async () => {
  const staged = await stage();
  enters({ ...staged.sandbox.settings, indexer_api_key: 'wrong-key' });
  await act('phone', staged, async (person) => {
    await person.choose('go-on');
    expect((await person.confirm(false)).title).toBe('No release was found');
    const before = await person.choose('0');
    expect(before.rows.map(({ id }) => id)).not.toContain('play');
    await person.confirm(true);
    await person.write(KEYS.indexerKey);
    await person.goOn();
    expect(await person.choose('play')).toMatchObject({ title: 'Everything works' });
  });
  expect(staged.played).toMatchObject([{ title: 'Big Buck Bunny' }]);
});

test('what has worked before does not work any more, be it of the settings or of the list', async () => {
  const staged = await stage();
  Object.assign(staged.host.settings, { ...staged.sandbox.settings, webdav_api_key: 'expired' });
  const { url } = staged.sandbox.indexer;
  const entry = { kind: 'newznab', name: 'Listed', url, apiKey: 'expired', enabled: true } as const;
  await editListedSources(staged.host.dataFolder, () => [listedSource(entry)]);
  enters({ indexer_name: 'Called otherwise' });
  await act('phone', staged, async (person) => {
    const { title, rows } = await person.choose('1');
    expect(title).toBe('Something does not work');
    expect(rows.map(({ label }) => label).slice(0, 2)).toEqual(['nzbdav', 'Listed']);
    expect((await person.confirm(false)).title).toBe('nzbdav does not work');
    await person.choose('leave');
    await person.choose('2');
    expect((await person.confirm(false)).title).toBe('Listed does not work');
    await person.choose('leave');
    await person.back();
  });
});

test('nothing is tested where the phone has done nothing', async () => {
  const staged = await stage();
  await staged.host.writeSettings(staged.sandbox.settings);
  phone.mockResolvedValue(false);
  await act('phone', staged, () => Promise.resolve());
  expect(staged.host.progress).toEqual([]);
});

test('what was not entered there is asked for here', async () => {
  const staged = await stage();
  const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
  enters({ indexer_url, indexer_api_key });
  await act('first-run', staged, async (person) => {
    await person.choose('phone');
    expect((await person.back()).title).toBe('What gets a release ready for playing?');
    for (let steps = 0; steps < 2; steps++) await person.back();
  });
});

test('where nothing was entered, or no phone can be paired, another way is offered', async () => {
  const staged = await stage();
  const noNetwork = new SlipstreamError('HOST_FAILED', {
    what: 'There is no local network.',
    next: 'Join one.',
  });
  phone.mockResolvedValueOnce(false).mockRejectedValueOnce(noNetwork);
  await act('first-run', staged, async (person) => {
    await person.choose('phone');
    await person.choose('phone');
    expect((await person.goOn()).text).toBe('There is no local network.\nJoin one.');
    expect((await person.back()).title).toBe('Set up Slipstream: what do you search with?');
  });
  expect(phone).toHaveBeenCalledTimes(2);
});
