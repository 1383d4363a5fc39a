import { describe, expect, it, onTestFinished } from 'vitest';
import { INFINIDYSK, startSandbox } from '../../../sandbox/index.ts';
import type { Service } from '../../../src/connections/service.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { pause } from '../../../src/io/wait.ts';
import { phoneStage } from './stage.ts';

describe('a test', () => {
  const service = (test: Service['test']): Service => ({
    id: 'webdav',
    name: 'nzbdav',
    help: 'Plays.',
    role: 'play',
    fields: [{ setting: 'webdav_api_url' }, { setting: 'webdav_api_key' }],
    chosenBy: { playback_backend: 'webdav' },
    usualPorts: [],
    isSetUp: () => true,
    test,
  });

  it('is made with what stands on the page, saved or not, and saves nothing', async () => {
    const seen: unknown[] = [];
    const failure = new SlipstreamError('AUTH_FAILED', {
      what: 'nzbdav refused the key secret-one.',
      next: 'Enter it again.',
    });
    const tested = service(({ webdav_api_url, webdav_api_key, playback_backend }) => {
      seen.push({ webdav_api_url, webdav_api_key, playback_backend });
      return Promise.resolve([
        { what: 'The address', found: 'nzbdav 0.6.4' },
        { what: 'The key', failure, setting: 'webdav_api_key' },
      ]);
    });
    const settings = { webdav_api_url: 'http://10.0.0.2:3000', playback_backend: 'nzbget' };
    const stage = await phoneStage({ settings, phone: { services: [tested] } });
    await stage.pair();
    const answer = await stage.send('/api/test', {
      service: 'webdav',
      values: { webdav_api_key: 'secret-one' },
    });
    expect(seen).toEqual([
      { webdav_api_url: 'http://10.0.0.2:3000', webdav_api_key: 'secret-one', playback_backend: 'webdav' },
    ]);
    expect(answer.json()).toEqual({
      checks: [
        { what: 'The address', found: 'nzbdav 0.6.4' },
        {
          what: 'The key',
          setting: 'webdav_api_key',
          isWrong: true,
          failure: { code: 'AUTH_FAILED', what: 'nzbdav refused the key ***.', next: 'Enter it again.' },
        },
      ],
    });
    expect(stage.host.settings).toEqual(settings);
  });

  it('tells of a fault of one of several that it works all the same', async () => {
    const failure = new SlipstreamError('RATE_LIMITED', { what: 'One rests.', next: 'Wait.' });
    const tested = service(() =>
      Promise.resolve([
        { what: 'One', failure, isOneOfMany: true },
        { what: 'Another', isOneOfMany: true },
      ]),
    );
    const stage = await phoneStage({ phone: { services: [tested] } });
    await stage.pair();
    const answer = await stage.send('/api/test', { service: 'webdav', values: {} });
    expect(answer.json()).toMatchObject({
      checks: [{ failure: { what: 'One rests.' } }, { what: 'Another' }],
    });
    expect(answer.text).not.toContain('isWrong');
  });

  it('offers the user that InfiniDysk tells, also where the password is the same word', async () => {
    const sandbox = await startSandbox({ dialect: INFINIDYSK });
    onTestFinished(() => sandbox.close());
    const stage = await phoneStage();
    await stage.pair();
    const values = { ...sandbox.settings, webdav_username: 'rama', webdav_password: 'admin' };
    const answer = await stage.send('/api/test', { service: 'webdav', values });
    expect((answer.json()['checks'] as object[]).at(-1)).toMatchObject({
      setting: 'webdav_username',
      failure: { next: 'Enter admin as its user.' },
      mend: { setting: 'webdav_username', value: 'admin' },
    });
    expect(answer.text).not.toContain('canary');
    // The page that is loaded again has the name as well.
    await stage.send('/api/settings', { values: { ...values, webdav_username: 'admin' } });
    const { settings } = (await stage.send('/api/settings')).json() as { settings: { id: string }[] };
    expect(settings.find(({ id }) => id === 'webdav_username')).toMatchObject({ value: 'admin' });
    expect(settings.find(({ id }) => id === 'webdav_password')).not.toHaveProperty('value');
  });

  it('ends when the set-up does', async () => {
    const begun = deferred<undefined>();
    let ended: unknown;
    const hanging = service((_settings, { signal }) => {
      begun.resolve(undefined);
      return pause(60_000, signal).then(
        () => [],
        (reason: unknown) => {
          ended = reason;
          throw reason;
        },
      );
    });
    const stage = await phoneStage({ phone: { services: [hanging] } });
    await stage.pair();
    const answer = stage.send('/api/test', { service: 'webdav', values: {} }).catch(() => 'broken off');
    await begun.promise;
    stage.abort();
    await expect(stage.over).rejects.toThrow('gone');
    expect(await answer).toBe('broken off');
    expect(ended).toBeDefined();
  });

  it('of a service that is not there is refused', async () => {
    const stage = await phoneStage({ phone: { services: [] } });
    await stage.pair();
    expect((await stage.send('/api/test', { service: 'webdav', values: {} })).status).toBe(400);
  });
});
