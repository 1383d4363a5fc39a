import { expect, onTestFinished, test } from 'vitest';
import { runPhoneSetup } from '../../../src/setup/phone/index.ts';
import { setUp } from '../../host/terminal/terminal-in-memory.ts';
import { memoryLog } from '../../support/log.ts';

// What the TV says of the phone is in setup.test.ts; here a shell says it.

/** The set-up by a phone that nobody takes up, in a terminal. */
async function opened(idle: number) {
  const { host, input, messages, interrupts } = await setUp();
  const aborting = new AbortController();
  const play = () => Promise.resolve(true);
  const over = runPhoneSetup(
    { host, log: memoryLog(), signal: aborting.signal, play },
    { address: '127.0.0.1', scanTargets: { hosts: [] }, lifetime: { idle } },
  );
  onTestFinished(async () => {
    aborting.abort(new Error('gone'));
    await over.catch(() => undefined);
  });
  await expect.poll(messages.text).toContain('Waiting');
  const [url = ''] = /http:\S+/.exec(messages.text()) ?? [];
  // Lines are broken where the screen ends.
  return { over, url, input, interrupts, said: () => messages.text().replaceAll(/\s+/g, ' ') };
}

const TIME_IS_UP =
  /The time for the page on the phone is up\. What was saved there is kept\. To go on, open it again: a page that is still open takes the new code\. Enter: go on: $/;

test('a shell says that the time is up, that what was saved is kept, and how to go on', async () => {
  const { over, url, input, interrupts, said } = await opened(4_000);
  expect((await fetch(url)).status).toBe(200);
  expect(said()).toContain('Waiting for your phone. Less than a minute left.');
  await expect.poll(said, { timeout: 10_000 }).toMatch(TIME_IS_UP);
  // The page is gone by then.
  await expect(fetch(url)).rejects.toThrow();
  input.write('\n');
  expect(await over).toBe(false);
  expect(interrupts.claimCount()).toBe(0);
});
