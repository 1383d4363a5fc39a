import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Faults, startSandbox } from '../../sandbox/index.ts';
import type { SettingId } from '../../src/settings/index.ts';
import { ENGINE_FILE } from '../support/engine.ts';
import { openPty, type Pty } from '../support/pty.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `slipstream play` on a terminal of its own, against a sandbox with that fault and with those settings changed. */
export async function playing(
  fault: Partial<Faults>,
  changed: Readonly<Partial<Record<SettingId, string>>> = {},
): Promise<Pty> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  Object.assign(sandbox.faults, fault);
  const folder = temporaryFolder();
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify({ ...sandbox.settings, ...changed }), { mode: 0o600 });
  const paths = ['--settings', settings, '--data', join(folder, 'data')];
  const play = ['play', 'Big Buck Bunny', '--year', '2008', '--best'];
  return openPty([process.execPath, ENGINE_FILE, ...play, ...paths]);
}
