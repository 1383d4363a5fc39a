import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelledError } from '../../../src/errors/index.ts';
import type { PickList, PlayerEvent, PlayItem } from '../../../src/host/port.ts';
import { createInterrupts, openTerminal } from '../../../src/host/terminal/index.ts';
import { hostContract } from '../../contracts/host.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipstream-terminal-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** A stand-in for a terminal (or a pipe), with what was written to it. */
function stream(isTTY: boolean, columns = 80) {
  const text: string[] = [];
  const through = Object.assign(new PassThrough(), { isTTY, columns });
  through.on('data', (chunk: Buffer) => text.push(chunk.toString('utf8')));
  return { through, text: () => text.join('') };
}

async function setUp(
  settings: Record<string, unknown> = {},
  options: { isTTY?: boolean; player?: string; styled?: boolean; columns?: number } = {},
) {
  const { isTTY = true, player, styled = false, columns = 80 } = options;
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
    styled,
    ...(player === undefined ? {} : { player }),
  });
  return { ...terminal, interrupts, input, output, messages };
}

const LIST: PickList = {
  title: 'Sintel (2010)',
  subtitle: '1 of 2 releases pass your filters',
  rows: [
    { label: 'Sintel.2010.1080p.BluRay.x264-OPEN', badge: '1080p', facts: ['2.1 GB'], rejection: '' },
    {
      label: 'Sintel.2010.480p.DVD-OPEN',
      badge: '480p',
      facts: [],
      rejection: 'standard definition',
    },
  ],
};
const ITEM: PlayItem = {
  stream: { url: 'http://127.0.0.1:1/stream/x/Sintel.mkv', mime: 'video/x-matroska', size: 10 },
  title: 'Sintel (2010)',
};
const live = () => new AbortController().signal;

describe('a terminal', () => {
  hostContract(async (settings) => {
    const { host, interrupts, input, output, messages } = await setUp(settings);
    const type = (text: string) => {
      input.write(text);
      return Promise.resolve();
    };
    return {
      host,
      choose: (index) => type(`${index + 1}\n`),
      back: () => type('q\n'),
      cancel: () => {
        interrupts.interrupt();
        return Promise.resolve();
      },
      abort: interrupts.terminate,
      handedOver: () => (output.text() === '' ? [undefined] : output.text().trim().split('\n')),
      notified: () => [messages.text()],
      open: () => interrupts.waiting(),
    };
  });
});

describe('the list', () => {
  test('shows numbers, facts and why a release was rejected', async () => {
    const { host, input, messages } = await setUp();
    const choice = host.pick(LIST, live());
    input.write('\n');
    expect(await choice).toBe(0);
    expect(messages.text()).toBe(
      [
        'Sintel (2010)',
        '1 of 2 releases pass your filters',
        '',
        '1  Sintel.2010.1080p.BluRay.x264-OPEN',
        '   1080p · 2.1 GB',
        '2  Sintel.2010.480p.DVD-OPEN',
        '   480p · rejected: standard definition',
        '',
        'Which one, 1 to 2? (Enter: 1, q: back) ',
      ].join('\n'),
    );
  });

  test('asks again after what is no number of a row, also when it all arrives at once', async () => {
    const { host, input, messages } = await setUp();
    const choice = host.pick(LIST, live());
    input.write('3\n0\n-1\n1e0\nx\n2\n');
    expect(await choice).toBe(1);
    expect(messages.text().match(/1 to 2, please\./g)).toHaveLength(5);
  });

  test('does not repeat the title that stands above it', async () => {
    const { host, input, messages } = await setUp();
    await host.openProgress(LIST.title);
    const choice = host.pick(LIST, live());
    input.write('1\n');
    await choice;
    expect(messages.text().match(/Sintel \(2010\)\n/g)).toHaveLength(1);
  });

  test('names are bold and facts dim, but only on a terminal', async () => {
    for (const isTTY of [true, false]) {
      const { host, input, messages } = await setUp({}, { isTTY, styled: true });
      const choice = host.pick(LIST, live());
      input.write('1\n');
      await choice;
      expect(messages.text().includes('\u001b[1m1  Sintel.2010.1080p.BluRay.x264-OPEN\u001b[0m\n')).toBe(
        isTTY,
      );
      expect(messages.text().includes('\u001b[2m   1080p · 2.1 GB\u001b[0m\n')).toBe(isTTY);
      expect(messages.text().includes('\u001b')).toBe(isTTY);
    }
  });

  test('what is said while the question stands goes above it', async () => {
    const { host, say, interrupts, messages } = await setUp();
    const choice = host.pick(LIST, live());
    say('info: a step');
    interrupts.interrupt();
    await choice;
    const question = 'Which one, 1 to 2? (Enter: 1, q: back) ';
    expect(messages.text()).toContain(`\n${question}\r\u001b[2Kinfo: a step\n${question}\n`);
    say('info: another');
    expect(messages.text()).toMatch(/\) \ninfo: another\n$/);
  });

  test('the end of the input goes back', async () => {
    const { host, input } = await setUp();
    const choice = host.pick(LIST, live());
    input.end();
    expect(await choice).toBeUndefined();
  });

  test('Ctrl-C goes back from the list, then cancels the progress below it, then ends the command', async () => {
    const { host, interrupts } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    const choice = host.pick(LIST, live());
    interrupts.interrupt();
    expect(await choice).toBeUndefined();
    expect(progress.cancelled.aborted).toBe(false);
    interrupts.interrupt();
    expect(progress.cancelled.aborted).toBe(true);
    expect(host.aborted.aborted).toBe(false);
    interrupts.interrupt();
    expect(host.aborted.reason).toBeInstanceOf(CancelledError);
  });

  test('without a person the list is shown and its first row taken', async () => {
    const { host, messages } = await setUp({}, { isTTY: false });
    expect(await host.pick(LIST, live())).toBe(0);
    expect(messages.text()).toMatch(
      /^Sintel \(2010\)\n[^]*\nTaking the first: Sintel.2010.1080p.BluRay.x264-OPEN\n$/,
    );
  });

  test('an empty list cannot be chosen from', async () => {
    const { host } = await setUp();
    expect(await host.pick({ ...LIST, rows: [] }, live())).toBeUndefined();
  });

  test('a name cannot write to the terminal what it likes', async () => {
    const { host, input, messages } = await setUp();
    const row = {
      label: '\u001b]0;owned\u0007\u001b[2J\u202eName\r\nx',
      badge: '',
      facts: [],
      rejection: '',
    };
    const choice = host.pick({ title: 't', subtitle: '', rows: [row] }, live());
    input.write('1\n');
    await choice;
    expect(messages.text()).toContain('1  ]0;owned[2JNamex\n');
  });
});

describe('the progress display', () => {
  test('is redrawn in place on a terminal, within its width, and erased at the end', async () => {
    const { host, messages } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    await progress.update({ stage: 'Downloading', percent: 50, detail: 'x'.repeat(100) });
    await host.notify({ what: 'A notice.', next: 'Do so.' });
    await progress.close();
    const [title, drawn, noticed, redrawn] = messages.text().split(/\r\u001b\[2K|\n/);
    expect(title).toBe('Sintel (2010)');
    expect(drawn).toBe('');
    expect(noticed).toMatch(/^ 50 % {2}\[#{10}-{10}\] {2}Downloading {2}x+…$/);
    expect(noticed).toHaveLength(79);
    expect(redrawn).toBe('A notice. Do so.');
    expect(messages.text()).toMatch(/\r\u001b\[2K$/);
  });

  test('keeps the percentage on the narrowest screen', async () => {
    const { host, messages } = await setUp({}, { columns: 8 });
    const progress = await host.openProgress('t');
    await progress.update({ stage: 'Downloading', percent: 42 });
    expect(messages.text()).toMatch(/ 42 % …$/);
  });

  test('gives a line per stage and tenth elsewhere', async () => {
    const { host, messages } = await setUp({}, { isTTY: false });
    const progress = await host.openProgress('Sintel (2010)');
    await progress.update({ stage: 'Searching Example' });
    for (let percent = 0; percent <= 30; percent++) {
      await progress.update({ stage: 'Downloading', percent, detail: `${percent} of 100` });
    }
    await progress.close();
    expect(messages.text()).not.toContain('\u001b');
    expect(messages.text().split('\n')).toEqual([
      'Sintel (2010)',
      'Searching Example',
      '  0 %  [--------------------]  Downloading',
      ' 10 %  [##------------------]  Downloading',
      ' 20 %  [####----------------]  Downloading',
      ' 30 %  [######--------------]  Downloading',
      '',
    ]);
  });
});

describe('playing', () => {
  const node = (script: string) => `"${process.execPath}" -e "${script}"`;

  test('starts the player with the URL as its last argument and tells the service how it goes', async () => {
    const copy = join(folder, 'url');
    const script = `require('fs').writeFileSync('${copy}', process.argv.at(-1))`;
    const { host, service, output } = await setUp({}, { player: node(script) });
    const events: PlayerEvent[] = [];
    service.onPlayerEvent((event) => events.push(event));
    await host.play(ITEM);
    await expect.poll(() => events.map(({ kind }) => kind)).toEqual(['started', 'av-started', 'ended']);
    expect(events[0]?.file).toBe(ITEM.stream.url);
    expect(output.text()).toBe(`${ITEM.stream.url}\n`);
    expect(await readFile(copy, 'utf8')).toBe(ITEM.stream.url);
  });

  test('a player that fails is told apart from one that came to its end', async () => {
    const { host, service, messages } = await setUp({}, { player: node('process.exit(3)') });
    const kinds: string[] = [];
    service.onPlayerEvent(({ kind }) => kinds.push(kind));
    await host.play(ITEM);
    await expect.poll(() => kinds.at(-1)).toBe('error');
    expect(messages.text()).toBe(`The player "${process.execPath}" ended with status 3.\n`);
  });

  test('the player ends with the command', async () => {
    const { host, service, interrupts } = await setUp({}, { player: node('setInterval(() => 0, 1000)') });
    const kinds: string[] = [];
    service.onPlayerEvent(({ kind }) => kinds.push(kind));
    await host.play(ITEM);
    interrupts.terminate();
    await expect.poll(() => kinds.at(-1)).toBe('stopped');
  });

  test.each(['no-such-player-anywhere --fs', '', '""'])(
    'a player that cannot be started (%j) is an error',
    async (player) => {
      const { host } = await setUp({}, { player });
      await expect(host.play(ITEM)).rejects.toMatchObject({ code: 'HOST_FAILED' });
    },
  );
});
