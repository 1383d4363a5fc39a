import { expect, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import { type Action, runAction } from '../../src/setup/index.ts';
import { stage } from './stage.ts';

/** Those that ask something at once where nothing is set up. */
const ASKING: readonly Action[] = [
  'first-run',
  'test',
  'indexers',
  'mappings',
  'order',
  'formats',
  'failure',
  'report',
];

test.each(ASKING)(
  'the end of the media centre ends "%s" at its question, and opens no settings',
  async (action) => {
    const { host, context } = await stage();
    const running = runAction({ action, back: 'connection' }, context);
    running.catch(() => undefined);
    await host.person.asked();
    host.abort();
    await expect(running).rejects.toBeInstanceOf(CancelledError);
    expect(host.open()).toBe(0);
    expect(host.settingsOpened).toEqual([]);
  },
);

test('an action that fails opens the settings again where they were left', async () => {
  const { host, context } = await stage();
  const failing = { ...context, host: { ...host, readSettings: () => Promise.reject(new Error('gone')) } };
  await expect(runAction({ action: 'report', back: 'advanced' }, failing)).rejects.toThrow('gone');
  expect(host.settingsOpened).toEqual(['advanced']);
});
