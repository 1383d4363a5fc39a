import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CancelledError } from '../../../src/errors/index.ts';
import type { PickerRow, PickerView, PlayerEvent, PlayItem } from '../../../src/host/port.ts';
import { hostContract } from '../../contracts/host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { setUp } from './terminal-in-memory.ts';

const BEST: PickerRow = {
  id: 'best',
  name: 'Sintel.2010.1080p.BluRay.x264-OPEN',
  badges: [
    { kind: 'resolution', text: '1080p' },
    { kind: 'source', text: 'BluRay' },
  ],
  size: '2.1 GB',
  bitrate: '19 Mbit/s',
  age: '3 d',
  indexer: 'Example',
  group: 'OPEN',
  languages: 'EN',
  downloaded: true,
  pack: false,
  rejections: [],
  details: [
    { label: 'Container', value: 'MKV' },
    { label: 'Grabs', value: '12' },
  ],
};
const SMALL: PickerRow = {
  ...BEST,
  id: 'small',
  name: 'Sintel.2010.480p.DVD-OPEN',
  badges: [{ kind: 'resolution', text: '480p' }],
  downloaded: false,
  rejections: ['standard definition', 'too small'],
  details: [],
};
const LIST: PickerView = {
  title: 'Sintel (2010)',
  summary: '1 of 2 releases pass your filters',
  order: 'Resolution, then size',
  status: '',
  searching: false,
  rows: [BEST, SMALL],
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
    /** Numbers and names of the list that was drawn last. */
    const lastList = () => {
      const drawn = messages.text().split('Sorted by').at(-1) ?? '';
      const rows = drawn.matchAll(/^ *(?<number>\d+) {2}(?<name>\S.*)$/gm);
      return [...rows].map(({ groups }) => ({
        number: groups?.['number'] ?? '',
        name: groups?.['name'] ?? '',
      }));
    };
    const numberOf = (id: string) => lastList().find(({ name }) => name.endsWith(`-${id}`))?.number ?? '';
    return {
      host,
      // The rows of a question have no release's name.
      choose: (id) => type(`${numberOf(id) || ['a', 'b'].indexOf(id) + 1}\n`),
      back: () => {
        interrupts.interrupt();
        return Promise.resolve();
      },
      // Enter alone would keep what stands there.
      write: (text) => type(text === '' && messages.text().endsWith('-: empty): ') ? '-\n' : `${text}\n`),
      confirm: (yes) => type(yes ? 'y\n' : 'n\n'),
      goOn: () => type('\n'),
      shown: messages.text,
      begin: (where) => type(where === 'resume' ? 'r\n' : 'b\n'),
      listed: () => lastList().map(({ name }) => name),
      cancel: () => {
        interrupts.interrupt();
        return Promise.resolve();
      },
      abort: interrupts.terminate,
      handedOver: () => (output.text() === '' ? [undefined] : output.text().trim().split('\n')),
      notified: () => [messages.text()],
      open: () => interrupts.claimCount(),
    };
  });
});

describe('the list', () => {
  const QUESTION = 'Which one? (Enter: 1, d and a number: details, a: everything, 1 more, q: back) ';

  test('shows numbers and what there is to know of each release', async () => {
    const { host, input, messages } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    input.write('\n');
    expect(await chosen).toBe('best');
    expect(messages.text()).toBe(
      [
        'Sintel (2010)',
        '1 of 2 releases pass your filters',
        'Sorted by Resolution, then size',
        '',
        ' 1  Sintel.2010.1080p.BluRay.x264-OPEN',
        '    1080p BluRay · 2.1 GB · 19 Mbit/s · 3 d · EN · Example · OPEN · downloaded',
        '',
        QUESTION,
      ].join('\n'),
    );
  });

  test('shows everything, with the reason, and again only what passes', async () => {
    const { host, input, messages } = await setUp({}, { columns: 100 });
    const { chosen } = await host.openPicker(LIST, live());
    input.write('a\n');
    await expect.poll(messages.text).toContain('a: only what passes');
    expect(messages.text()).toMatch(
      /2 {2}Sintel\.2010\.480p\.DVD-OPEN\n.* · rejected: standard definition\n/,
    );
    input.write('a\n2\n');
    expect(await chosen).toBe('small');
    expect(messages.text().split('rejected: ')).toHaveLength(2);
  });

  test('takes no number of a row that was never shown', async () => {
    const { host, input, messages } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    input.write('2\nd 2\nq\n');
    expect(await chosen).toBeUndefined();
    expect(messages.text().match(/The number of a row, please\./g)).toHaveLength(2);
    expect(messages.text()).not.toContain(SMALL.name);
  });

  test('tells all that is known of a row', async () => {
    const { host, input, messages } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    input.write('d\na\nd 2\nq\n');
    expect(await chosen).toBeUndefined();
    expect(messages.text()).toContain(`\n${BEST.name}\nContainer  MKV\nGrabs      12\n`);
    expect(messages.text()).toContain(
      `\n${SMALL.name}\nrejected: standard definition\nrejected: too small\n`,
    );
  });

  test('asks again after what is no row, also when it all arrives at once', async () => {
    const { host, input, messages } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    input.write('3\n0\n-1\n1e0\nx\nq1\n1\nq\n');
    expect(await chosen).toBe('best');
    expect(messages.text().match(/The number of a row, please\./g)).toHaveLength(6);
  });

  test('is drawn anew when it changes; a row keeps its number', async () => {
    const { host, input, messages } = await setUp();
    const picker = await host.openPicker({ ...LIST, searching: true }, live());
    const better = { ...BEST, id: 'better', name: 'Sintel.2010.2160p-OPEN' };
    await picker.update({ ...LIST, searching: true, rows: [better, BEST] });
    const drawn = messages.text().split('\u001b[H\u001b[2J').at(-1);
    expect(drawn).toMatch(
      /^Sintel \(2010\)\n[^]*2 {2}Sintel\.2010\.2160p-OPEN\n[^]*1 {2}Sintel\.2010\.1080p/,
    );
    // Enter means what it meant before.
    expect(drawn).toContain('(Enter: 1, ');
    input.write('1\n');
    expect(await picker.chosen).toBe('best');
  });

  test('says what has changed when it is not the rows', async () => {
    const { host, messages, interrupts } = await setUp();
    const picker = await host.openPicker({ ...LIST, searching: true }, live());
    await picker.update({ ...LIST, searching: true, status: 'Example failed: wrong key' });
    expect(messages.text()).toContain('Example failed: wrong key\n');
    expect(messages.text()).not.toContain('\u001b[2J');
    interrupts.interrupt();
    await picker.chosen;
  });

  test('does not repeat the title that stands above it', async () => {
    const { host, input, messages } = await setUp();
    await host.openProgress(LIST.title);
    const { chosen } = await host.openPicker(LIST, live());
    input.write('1\n');
    await chosen;
    expect(messages.text().match(/Sintel \(2010\)\n/g)).toHaveLength(1);
  });

  test('names are bold and facts dim, but only on a terminal', async () => {
    for (const isTTY of [true, false]) {
      const { host, input, messages } = await setUp({}, { isTTY, styled: true });
      const { chosen } = await host.openPicker(LIST, live());
      input.write('1\n');
      await chosen;
      expect(messages.text().includes('\u001b[1m 1  Sintel.2010.1080p.BluRay.x264-OPEN\u001b[0m\n')).toBe(
        isTTY,
      );
      expect(messages.text().includes('\u001b[2m    1080p BluRay')).toBe(isTTY);
      expect(messages.text().includes('\u001b')).toBe(isTTY);
    }
  });

  test('what is said while the question stands goes above it', async () => {
    const { host, print: say, interrupts, messages } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    say('info: a step');
    interrupts.interrupt();
    await chosen;
    expect(messages.text()).toContain(`\n${QUESTION}\r\u001b[2Kinfo: a step\n${QUESTION}\n`);
    say('info: another');
    expect(messages.text()).toMatch(/\) \ninfo: another\n$/);
  });

  test('the end of the input goes back', async () => {
    const { host, input } = await setUp();
    const { chosen } = await host.openPicker(LIST, live());
    input.end();
    expect(await chosen).toBeUndefined();
  });

  test('Ctrl-C goes back from the list, then cancels the progress below it, then ends the command', async () => {
    const { host, interrupts } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    const { chosen } = await host.openPicker(LIST, live());
    interrupts.interrupt();
    expect(await chosen).toBeUndefined();
    expect(progress.cancelled.aborted).toBe(false);
    interrupts.interrupt();
    expect(progress.cancelled.aborted).toBe(true);
    expect(host.aborted.aborted).toBe(false);
    interrupts.interrupt();
    expect(host.aborted.reason).toBeInstanceOf(CancelledError);
  });

  test('without a person the list is shown once it is complete, and the first that passed taken', async () => {
    const { host, messages } = await setUp({}, { isTTY: false });
    const picker = await host.openPicker({ ...LIST, searching: true, rows: [SMALL] }, live());
    await picker.update({ ...LIST, searching: true, rows: [SMALL] });
    expect(messages.text()).toBe('');
    await picker.update(LIST);
    expect(await picker.chosen).toBe('best');
    expect(messages.text()).toMatch(
      /^Sintel \(2010\)\n[^]*\nTaking the first: Sintel.2010.1080p.BluRay.x264-OPEN\n$/,
    );
  });

  test('without a person nothing that was rejected is taken', async () => {
    const { host } = await setUp({}, { isTTY: false });
    expect(await (await host.openPicker({ ...LIST, rows: [SMALL] }, live())).chosen).toBeUndefined();
  });

  test('an empty list cannot be chosen from, unless rows may come', async () => {
    const { host, messages } = await setUp();
    expect(await (await host.openPicker({ ...LIST, rows: [] }, live())).chosen).toBeUndefined();
    const picker = await host.openPicker({ ...LIST, rows: [], searching: true }, live());
    expect(messages.text()).toMatch(/Which one\? \(q: back\) $/);
    await picker.update({ ...LIST, rows: [] });
    expect(await picker.chosen).toBeUndefined();
  });

  test('a name cannot write to the terminal what it likes', async () => {
    const { host, input, messages } = await setUp();
    const row = { ...BEST, name: '\u001b]0;owned\u0007\u001b[2J\u202eName\r\nx' };
    const { chosen } = await host.openPicker({ ...LIST, rows: [row] }, live());
    input.write('1\n');
    await chosen;
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

  test('says what is waited for long, and that nobody has to; but not while something is asked', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { host, messages, interrupts } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    const waits = () => messages.text().match(/Still waiting: .*\n/g);
    await progress.update({ stage: 'Searching' });
    await vi.advanceTimersByTimeAsync(3_000);
    await progress.update({ stage: 'Searching', detail: '3 found' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waits()).toEqual(['Still waiting: Searching. Ctrl-C cancels.\n']);
    await progress.update({ stage: 'Choosing' });
    const { chosen } = await host.openPicker(LIST, live());
    await vi.advanceTimersByTimeAsync(60_000);
    interrupts.interrupt();
    await chosen;
    await progress.update({ stage: 'Opening the stream' });
    await progress.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waits()).toHaveLength(1);
  });

  test.each([undefined, 40])('says it of what no longer moves, be it at %s percent', async (percent) => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { host, messages } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    const waits = () => messages.text().match(/Still waiting: .*\n/g);
    const state = { stage: 'Downloading', ...(percent !== undefined && { percent }) };
    // The backend is asked again and again, and says the same each time.
    for (let seconds = 0; seconds < 60; seconds++) {
      await progress.update({ ...state, detail: `${seconds} s` });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(waits()).toEqual(['Still waiting: Downloading. Ctrl-C cancels.\n']);
    await progress.close();
  });

  test('says nothing of what moves, and little of what hardly does', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { host, messages } = await setUp();
    const progress = await host.openProgress('Sintel (2010)');
    const waits = () => messages.text().match(/Still waiting: .*\n/g) ?? [];
    for (let percent = 0; percent < 100; percent++) {
      await progress.update({ stage: 'Downloading', percent });
      await vi.advanceTimersByTimeAsync(3_000);
    }
    expect(waits()).toEqual([]);
    for (let percent = 0; percent < 100; percent++) {
      await progress.update({ stage: 'Repairing', percent });
      await vi.advanceTimersByTimeAsync(30_000);
    }
    expect(waits()).toHaveLength(10);
    await progress.close();
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
    const copy = join(temporaryFolder(), 'url');
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
    // A long path is wrapped.
    const told = messages.text().replaceAll('\n', ' ').trim();
    expect(told).toBe(`The player "${process.execPath}" ended with status 3.`);
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
