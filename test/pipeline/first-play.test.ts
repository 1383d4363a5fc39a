import { expect, test } from 'vitest';
import { CANARY } from '../../sandbox/index.ts';
import { pipeline, SINTEL } from './set-up.ts';

test('a first play, with nothing set up, leads through the set-up to its film', async () => {
  const none = Object.fromEntries(
    [
      'indexer_url',
      'indexer_api_key',
      'webdav_api_url',
      'webdav_api_key',
      'webdav_url',
      'webdav_password',
    ].map((id) => [id, '']),
  );
  const { sandbox, host, resolve } = await pipeline({ settings: none });
  const { person } = host;
  const playing = resolve(SINTEL);
  await person.choose('newznab');
  await person.choose('other');
  await person.write(sandbox.indexer.url);
  await person.write(CANARY.indexerKey);
  await person.choose('webdav');
  await person.write(sandbox.backend.apiUrl);
  await person.write(CANARY.apiKey);
  await person.write(CANARY.password);
  expect(await playing).toBe(true);
  expect(host.resolved).toMatchObject([{ title: 'Sintel (2010)' }]);
  expect(host.notified).toEqual([]);
  expect(host.open()).toBe(0);
});
