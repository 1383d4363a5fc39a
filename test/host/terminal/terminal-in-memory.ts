import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createInterrupts, openTerminal } from '../../../src/host/terminal/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A stand-in for a terminal (or a pipe), with what was written to it. */
function stream(isTTY: boolean, columns = 80) {
  const text: string[] = [];
  const through = Object.assign(new PassThrough(), { isTTY, columns });
  through.on('data', (chunk: Buffer) => text.push(chunk.toString('utf8')));
  return { through, text: () => text.join('') };
}

/** A terminal in memory, with its settings file in a folder of its own, which is its data folder, too. */
export async function setUp(
  settings: Record<string, unknown> = {},
  options: { isTTY?: boolean; player?: string; styled?: boolean; columns?: number } = {},
) {
  const { isTTY = true, player, styled = false, columns = 80 } = options;
  const folder = temporaryFolder();
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  const interrupts = createInterrupts();
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = stream(false);
  const messages = stream(isTTY, columns);
  const terminal = openTerminal({
    input,
    output: output.through,
    messages: messages.through,
    interrupts,
    settingsFile,
    dataFolder: folder,
    command: (words) => `slipstream ${words} --data here`,
    styled,
    ...(player === undefined ? {} : { player }),
  });
  return { ...terminal, folder, interrupts, input, output, messages };
}
