import { describe, expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { frontOf } from '../../connections/front.ts';
import { prowlarrStart } from '../../support/prowlarr-start.ts';
import type { RecordingHost } from '../../support/recording-host.ts';
import { act, stage } from '../stage.ts';

type Person = RecordingHost['person'];

const whereAt = async (person: Person) => (await person.asked()).title;

describe('the key of Prowlarr', () => {
  const KEY = 'given-0123456789abcdef';
  const toProwlarr = async (person: Person, url: string) => {
    await person.choose('prowlarr');
    await person.write(url);
  };
  async function prowlarr(answers: Readonly<Record<string, string>>): Promise<string> {
    const service = await startIndexer('prowlarr', { apiKey: KEY });
    onTestFinished(() => service.close());
    return await frontOf(service.url, { answers });
  }
  const giving = () => prowlarr({ '/initialize.json': prowlarrStart(KEY) });

  test('is taken where it is given without a login and the person agrees', async () => {
    const staged = await stage();
    const url = await giving();
    await act('first-run', staged, async (person) => {
      await toProwlarr(person, url);
      const asked = await person.waitFor('yes-no');
      expect(asked.text).toBe('Prowlarr gives its API key without a login. Use it?');
      expect(staged.host.settings['prowlarr_api_key'] ?? '').toBe('');
      await person.confirm(true);
      expect(await whereAt(person)).toBe('What gets a release ready for playing?');
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({ prowlarr_url: url, prowlarr_api_key: KEY });
    expect(JSON.stringify([staged.host.person.history, staged.log.lines])).not.toContain(KEY);
  });

  test('is asked for where the person does not agree; back leads to the address', async () => {
    const staged = await stage();
    const url = await giving();
    await act('first-run', staged, async (person) => {
      await toProwlarr(person, url);
      await person.waitFor('yes-no');
      await person.back();
      expect((await person.write(url)).title).toContain('Prowlarr address');
      await person.confirm(false);
      expect(await person.write('entered-key')).toMatchObject({ hidden: true });
      expect(await person.asked()).toMatchObject({ title: 'Prowlarr does not work yet' });
      expect(staged.host.settings['prowlarr_api_key']).toBe('entered-key');
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
  });

  test('is asked for where it is not given', async () => {
    const staged = await stage();
    const url = await prowlarr({});
    await act('first-run', staged, async (person) => {
      await toProwlarr(person, url);
      expect(await person.write(KEY)).toMatchObject({ hidden: true });
      expect(await whereAt(person)).toBe('What gets a release ready for playing?');
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
  });

  test('that is entered stays, and the one that is given is not asked about', async () => {
    const staged = await stage();
    Object.assign(staged.host.settings, { prowlarr_url: await giving(), prowlarr_api_key: 'entered-key' });
    await act({ action: 'test', service: 'prowlarr' }, staged, async (person) => {
      await person.confirm(true);
      expect(await person.write(KEY)).toMatchObject({ kind: 'text', hidden: true });
      expect((await person.goOn()).title).toBe('Prowlarr works');
    });
  });

  test('that is missing is offered where a test has missed it', async () => {
    const staged = await stage();
    Object.assign(staged.host.settings, { prowlarr_url: await giving() });
    await act({ action: 'test', service: 'prowlarr' }, staged, async (person) => {
      await person.confirm(true);
      expect((await person.confirm(true)).text).toContain('Use it?');
      expect((await person.goOn()).title).toBe('Prowlarr works');
    });
  });
});
