import { beforeEach, expect, test, vi } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { runPhoneSetup } from '../../../src/setup/phone/index.ts';
import { act, stage } from '../stage.ts';

// The phone's side has tests of its own, and needs a local network; here it is what it comes to that counts.
vi.mock('../../../src/setup/phone/index.ts', () => ({ runPhoneSetup: vi.fn() }));
const phone = vi.mocked(runPhoneSetup);

beforeEach(() => {
  phone.mockReset();
});

test('what was entered on the phone is tested here, and not asked again', async () => {
  const staged = await stage();
  phone.mockImplementation(({ host }) => host.writeSettings(staged.sandbox.settings));
  await act('first-run', staged, async (person) => {
    await person.choose('phone');
    await person.choose('play');
  });
  expect(staged.played).toHaveLength(1);
  expect(staged.host.progress.map(({ stage: shown }) => shown)).toEqual(
    expect.arrayContaining(['Testing Indexer', 'Testing nzbdav', 'Searching Big Buck Bunny']),
  );
});

test('what was not entered there is asked for here', async () => {
  const staged = await stage();
  const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
  phone.mockImplementation(({ host }) => host.writeSettings({ indexer_url, indexer_api_key }));
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
  phone.mockResolvedValueOnce().mockRejectedValueOnce(noNetwork);
  await act('first-run', staged, async (person) => {
    await person.choose('phone');
    await person.choose('phone');
    expect((await person.goOn()).text).toBe('There is no local network.\nJoin one.');
    expect((await person.back()).title).toBe('Set up Slipstream');
  });
  expect(phone).toHaveBeenCalledTimes(2);
});
