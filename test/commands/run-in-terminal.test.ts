import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInTerminal } from '../../src/commands/run-in-terminal.ts';
import { runSetup } from '../../src/commands/setup.ts';
import { runTestCommand } from '../../src/commands/test.ts';
import { CancelledError } from '../../src/errors/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What the person reads beside a command's own output. */
function messages(): { text: () => string } {
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  return { text: () => written.join('') };
}

describe('a settings file that cannot be read', () => {
  test.each([
    ['setup', runSetup],
    ['test', runTestCommand],
  ])('ends %s with what is wrong in words, and no stack', async (_, run) => {
    const folder = temporaryFolder();
    const file = join(folder, 'settings.json');
    await writeFile(file, '{ "webdav_api_key": "a-key"', { mode: 0o600 });
    const told = messages();
    expect(await run(['--settings', file, '--data', join(folder, 'data')])).toBe(1);
    expect(told.text()).toContain('is not JSON. Look for a missing comma');
    expect(told.text()).not.toMatch(/ {4}at |a-key/);
  });
});

test('a command that was cancelled says so by its status, and nothing else', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  await writeFile(file, '{}', { mode: 0o600 });
  const told = messages();
  const args = { settingsFile: file, dataFolder: folder, verbose: false };
  const cancelled = () => Promise.reject(new CancelledError('person'));
  expect(await runInTerminal(() => args, cancelled)).toBe(130);
  expect(told.text()).toBe('');
});
