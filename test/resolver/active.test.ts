import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { announce, lowerActive, whileSettingUp, withdraw } from '../../src/resolver.ts';
import { recordingHost } from '../support/recording-host.ts';

const URL_A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';

/** The id of a process that has ended. */
const gone = () => spawnSync(process.execPath, ['--version']).pid;

describe('svc.active', () => {
  test('is raised from the first step of setting up, while no stream is announced', async () => {
    const { properties, propertyValues } = recordingHost();
    await whileSettingUp(properties, () => {
      expect(propertyValues.get('svc.active')).toBe('true');
      expect(propertyValues.has('svc.stream_url')).toBe(false);
      return Promise.resolve();
    });
    expect([...propertyValues]).toEqual([]);
  });

  test('is lowered when setting up fails, and the failure is told on', async () => {
    const { properties, propertyValues } = recordingHost();
    const failing = whileSettingUp(properties, () => Promise.reject(new Error('no release')));
    await expect(failing).rejects.toThrow('no release');
    expect([...propertyValues]).toEqual([]);
  });

  test('stays when the stream that was set up is announced', async () => {
    const { properties, propertyValues } = recordingHost();
    await whileSettingUp(properties, () => announce(URL_A, properties));
    expect([...propertyValues.keys()].sort()).toEqual(['svc.active', 'svc.stream_url']);
  });

  test('stays through the end of one film while the next one is being set up', async () => {
    const { properties, propertyValues } = recordingHost();
    await announce(URL_A, properties);
    await whileSettingUp(properties, async () => {
      await withdraw(URL_A, properties);
      expect(propertyValues.get('svc.active')).toBe('true');
    });
    expect([...propertyValues]).toEqual([]);
  });

  test('is lowered when the process that raised it is gone', async () => {
    const { properties, propertyValues } = recordingHost();
    propertyValues.set('svc.active', 'true').set('slipstream.setting-up', String(gone()));
    await lowerActive(properties);
    expect([...propertyValues]).toEqual([]);
  });

  // Between the second look at the holder and its removal (step 5) is a gap that no step of ours can close.
  test.each([0, 1, 2, 3, 4, 6, 7, 8])(
    'is up for a play that begins while it is lowered (step %i)',
    async (step) => {
      const { properties, propertyValues } = recordingHost();
      propertyValues.set('svc.active', 'true').set('slipstream.setting-up', String(gone()));
      let steps = 0;
      const before =
        <Values extends string[], Result>(work: (...values: Values) => Promise<Result>) =>
        (...values: Values) => {
          if (steps++ === step)
            propertyValues.set('svc.active', 'true').set('slipstream.setting-up', String(process.pid));
          return work(...values);
        };
      const { get, set, clear } = properties;
      await lowerActive({ get: before(get), set: before(set), clear: before(clear) });
      await lowerActive(properties);
      expect(propertyValues.get('svc.active')).toBe('true');
    },
  );

  test.each([
    ['while that process runs', { 'slipstream.setting-up': String(process.pid) }],
    ['while a stream is announced', { 'svc.stream_url': URL_A }],
  ])('is not lowered %s', async (_when, values: Record<string, string>) => {
    const { properties, propertyValues } = recordingHost();
    for (const [name, value] of Object.entries(values)) propertyValues.set(name, value);
    propertyValues.set('svc.active', 'true');
    await lowerActive(properties);
    expect(propertyValues.get('svc.active')).toBe('true');
  });
});
