import { describe, expect, test } from 'vitest';
import { act, type Stage, stage } from '../stage.ts';

type Person = Stage['host']['person'];

/** A set-up that was gone through, with what was stored since. */
async function finished(since: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const staged = await stage();
  Object.assign(staged.host.settings, staged.sandbox.settings, since);
  return staged;
}

async function toTheTestOf(person: Person, service: 'newznab' | 'webdav') {
  await person.choose('here');
  await person.choose('newznab');
  await person.choose('other');
  if (service === 'webdav') await person.choose('webdav');
}

const out = async (person: Person, steps: number) => {
  for (let step = 0; step < steps; step++) await person.back();
};

describe('what a finished set-up has', () => {
  test('does not work any more when its key has expired: that is not "yet"', async () => {
    await act('first-run', await finished({ indexer_api_key: 'expired' }), async (person) => {
      await toTheTestOf(person, 'newznab');
      expect(await person.waitFor('yes-no')).toMatchObject({
        title: 'Indexer does not work',
        yes: 'Change it',
        text: expect.stringContaining('refused the API key') as string,
      });
      await out(person, 4);
    });
  });

  test('is off when it does not answer, and tried again once it is on', async () => {
    const staged = await finished();
    await staged.sandbox.shut('indexer');
    await act('first-run', staged, async (person) => {
      await toTheTestOf(person, 'newznab');
      const told = { title: 'Indexer does not work', yes: 'Try again' };
      expect(await person.waitFor('yes-no')).toMatchObject(told);
      await staged.sandbox.open('indexer');
      await person.confirm(true);
      expect((await person.waitFor('choice')).title).toContain('ready for playing');
      await out(person, 4);
    });
  });

  test('is new where something of it was changed', async () => {
    await act('first-run', await finished(), async (person) => {
      await toTheTestOf(person, 'newznab');
      await person.back();
      await person.choose('indexer_api_key');
      await person.write('wrong-key');
      await person.choose('go-on');
      expect((await person.waitFor('yes-no')).title).toBe('Indexer does not work yet');
      await out(person, 4);
    });
  });

  test('is that also after a set-up that was begun again, and left', async () => {
    const staged = await finished({ webdav_api_key: 'expired' });
    await act('first-run', staged, async (person) => {
      await toTheTestOf(person, 'webdav');
      expect((await person.waitFor('yes-no')).title).toBe('nzbdav does not work');
      await out(person, 6);
    });
    await act('first-run', staged, async (person) => {
      await toTheTestOf(person, 'webdav');
      expect((await person.waitFor('yes-no')).title).toBe('nzbdav does not work');
      await out(person, 6);
    });
  });

  test('is asked for no password that it works without', async () => {
    const staged = await finished({ webdav_password: '' });
    await act('first-run', staged, async (person) => {
      await toTheTestOf(person, 'webdav');
      expect((await person.waitFor('yes-no')).text).toContain('WebDAV password is not entered yet.');
      await out(person, 6);
    });
  });
});
