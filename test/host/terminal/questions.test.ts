import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerSecret } from '../../../src/log/index.ts';
import { setUp } from './terminal-in-memory.ts';

const live = () => new AbortController().signal;

describe('a question', () => {
  const ROWS = [
    { id: 'a', label: 'Example' },
    { id: 'b', label: 'Another', detail: 'below it' },
  ];

  test('lists its rows by numbers, and asks again for what is none, saying what it takes', async () => {
    const { host, input, messages } = await setUp();
    const answer = host.questions.choose({ title: 'Which service?', rows: ROWS, focused: 'b' }, live());
    input.write('3\n');
    await expect.poll(() => messages.text().split('Which one?')).toHaveLength(3);
    input.write('\n');
    expect(await answer).toBe('b');
    const asked = 'Which one? (Enter: 2, q: back): ';
    expect(messages.text()).toBe(
      [
        ...['Which service?', '1  Example', '2  Another', '   below it'],
        `${asked}Type a number from 1 to 2, or q.`,
        asked,
      ].join('\n'),
    );
  });

  test('takes an address for a row where that is one of the answers, as it was typed', async () => {
    const { host, input, messages } = await setUp();
    const ask = (orAddress?: true) =>
      host.questions.choose({ title: 'T', rows: ROWS, ...(orAddress && { orAddress }) }, live());
    const typed = ask(true);
    input.write('nas\nNAS:5076/API\n');
    expect(await typed).toBe('NAS:5076/API');
    expect(messages.text()).toContain('Type a number from 1 to 2, an address, or q.');
    const numbered = ask(true);
    input.write('2\n');
    expect(await numbered).toBe('b');
    for (const address of ['10.0.0.2', '10.0.0.2:5076', '[fd00::2]:5076', 'nas.lan', 'ñas/api']) {
      const taken = ask(true);
      input.write(`${address}\n`);
      expect(await taken).toBe(address);
    }
    // A number with something behind it that slipped in, and no number at all, are asked for again.
    for (const slip of ['2.', '3.', '2:', '.', '//', '1.5', 'nas']) {
      const again = ask(true);
      input.write(`${slip}\n1\n`);
      expect(await again).toBe('a');
    }
    const other = ask();
    input.write('nas:5076\n1\n');
    expect(await other).toBe('a');
  });

  test('has its numbers end, and its labels begin, in one column each', async () => {
    const { host, input, messages } = await setUp();
    const rows = Array.from({ length: 10 }, (_, at) => ({ id: `${at}`, label: 'Row', detail: 'below it' }));
    const answer = host.questions.choose({ title: 'T', rows }, live());
    input.write('10\n');
    expect(await answer).toBe('9');
    expect(messages.text()).toContain('T\n 1  Row\n    below it\n');
    expect(messages.text()).toContain('\n10  Row\n    below it\n');
  });

  test.each([
    ['y', true],
    ['No', false],
    ['q', undefined],
  ])('of two answers takes "%s"', async (typed, told) => {
    const { host, input } = await setUp();
    const answer = host.questions.confirm({ title: 'T', text: 'Well?', yes: 'Yes', no: 'No' }, live());
    input.write(`${typed}\n`);
    expect(await answer).toBe(told);
  });

  test('for a text keeps what stands there at Enter alone', async () => {
    const { host, input, messages } = await setUp();
    const answer = host.questions.text({ title: 'Address', value: 'http://nas' }, live());
    input.write('\n');
    expect(await answer).toBe('http://nas');
    expect(messages.text()).toBe('Address (Enter: http://nas, -: empty): ');
  });

  test.each([
    [{ emptied: 'admin' }, 'User (Enter: sita, -: admin): '],
    [{ emptied: 'sita' }, 'User (Enter: sita): '],
    [{ isNeeded: true as const }, 'User (Enter: sita): '],
    [{}, 'User (Enter: sita, -: empty): '],
  ])('for a text says what an emptied answer comes to: %j', async (emptied, prompt) => {
    const { host, input, messages } = await setUp();
    const answer = host.questions.text({ title: 'User', value: 'sita', ...emptied }, live());
    input.write('-\n');
    expect(await answer).toBe('');
    expect(messages.text()).toBe(prompt);
  });

  test('takes one line each from a script that gives all of them at once, and goes back at their end', async () => {
    const { host, input } = await setUp({}, { isTTY: false });
    input.end('http://nas\nschlüssel\n2');
    const text = (title: string, hidden: boolean) => host.questions.text({ title, hidden }, live());
    expect(await text('Address', false)).toBe('http://nas');
    expect(await text('Key', true)).toBe('schlüssel');
    expect(await host.questions.choose({ title: 'Which?', rows: ROWS }, live())).toBe('b');
    expect(await text('More', false)).toBeUndefined();
    expect(await text('And more', false)).toBeUndefined();
  });

  describe('for a hidden text', () => {
    const ask = async (typed: string | Buffer, value?: string) => {
      const raw: boolean[] = [];
      const { host, input, messages, interrupts } = await setUp();
      Object.assign(input, { setRawMode: (on: boolean) => raw.push(on) });
      const question = { title: 'Key', hidden: true, ...(value !== undefined && { value }) };
      const answer = host.questions.text(question, live());
      input.write(typed);
      const told = await answer;
      const shown = messages.text().replace('It is not shown while you type or paste it.\n', '');
      // The terminal is as it was, and nothing of it was shown.
      expect(raw).toEqual([true, false]);
      expect(interrupts.claimCount()).toBe(0);
      expect(input.listenerCount('data')).toBe(0);
      return { told, shown };
    };

    test('shows nothing of it', async () => {
      expect(await ask('hunter2\r')).toEqual({ told: 'hunter2', shown: 'Key: \n' });
      expect(await ask('\r', 'secret')).toEqual({
        told: 'secret',
        shown: 'Key (Enter: as it is, -: empty): \n',
      });
    });

    test('says that a key is not shown', async () => {
      const { host, input, messages } = await setUp();
      const answer = host.questions.text({ title: 'Key', help: 'From your page.', hidden: true }, live());
      input.write('hunter2\r');
      await answer;
      expect(messages.text()).toBe('From your page. It is not shown while you type or paste it.\nKey: \n');
    });

    test('is asked behind a plain one, and leaves what was typed ahead to the next', async () => {
      const { host, input } = await setUp();
      const text = (title: string, hidden: boolean) => host.questions.text({ title, hidden }, live());
      const first = text('Address', false);
      input.write('http://nas\n');
      expect(await first).toBe('http://nas');
      const second = text('Key', true);
      input.write('hunter2\r\nmore\rand\r');
      expect(await second).toBe('hunter2');
      expect(await text('Name', false)).toBe('more');
      expect(await text('Name', false)).toBe('and');
    });

    test('takes nothing with a lone Esc', async () => {
      const { host, input } = await setUp();
      const ask = () => host.questions.text({ title: 'Key', hidden: true }, live());
      const typed = async (...pieces: readonly string[]) => {
        for (const piece of pieces) {
          input.write(piece);
          await new Promise(setImmediate);
        }
      };
      const first = ask();
      await typed('\u001b', 'hunter2\r');
      expect(await first).toBe('hunter2');
      const second = ask();
      await typed('\u001b', '\u0003');
      expect(await second).toBeUndefined();
    });

    test('takes no part of a key that comes in pieces', async () => {
      const { host, input } = await setUp();
      const answer = host.questions.text({ title: 'Key', hidden: true }, live());
      for (const piece of ['\u001b', '[20', '0~hun', 'ter2\u001b[201', '~\u001bO', 'A\r']) {
        input.write(piece);
        await new Promise(setImmediate);
      }
      expect(await answer).toBe('hunter2');
    });

    test.each([
      ['takes back what was erased', 'hux\u007fn\u001b[D\u001bOPter2\b2\n', 'hunter2'],
      ['takes letters of every alphabet', 'schlüssel🔑\u007f\r', 'schlüssel'],
      ['goes back at Ctrl-C', 'hun\u0003', undefined],
      ['goes back at the end of the input', '\u0004', undefined],
    ])('%s', async (_, typed, told) => {
      expect((await ask(Buffer.from(typed))).told).toBe(told);
    });
  });
});

describe('a code for the phone', () => {
  const CARD = {
    title: 'Phone',
    address: 'http://192.168.1.5:4321',
    code: '4711',
    text: 'Scan it',
    status: 'Waiting',
  };

  test('is drawn in black on white where it can be, with its quiet zone', async () => {
    const { host, messages } = await setUp({}, { styled: true });
    await (await host.openCodeCard(CARD, live())).close();
    const rows = [...messages.text().matchAll(/\u001b\[30;107m(?<row>[ ▀▄█]*)\u001b\[0m\n/g)];
    const drawn = rows.map(({ groups }) => groups?.['row'] ?? '');
    // A square of modules, two in a line: 25 (version 2) and 4 on each side.
    expect(drawn).toHaveLength(17);
    expect(new Set(drawn.map((row) => row.length))).toEqual(new Set([33]));
    expect(drawn.slice(0, 3)).toEqual([' '.repeat(33), ' '.repeat(33), drawn[2]]);
    // The corner that every reader looks for.
    expect(drawn[2]?.slice(4, 11)).toBe('█▀▀▀▀▀█');
    expect(drawn.every((row) => row.startsWith('    ') && row.endsWith('    '))).toBe(true);
  });

  test.each([{ styled: false }, { isTTY: false, styled: true }, { styled: true, columns: 32 }])(
    'is told in words alone where it cannot: %j',
    async (options) => {
      const { host, messages } = await setUp({}, options);
      await (await host.openCodeCard(CARD, live())).close();
      expect(messages.text()).not.toMatch(/[▀▄█]/);
      expect(messages.text()).toContain('Address: http://192.168.1.5:4321\nCode: 4711\n');
    },
  );

  test('shows address and code even where they are secrets elsewhere', async () => {
    registerSecret('code-of-a-test');
    const { host, messages } = await setUp();
    await (await host.openCodeCard({ ...CARD, code: 'code-of-a-test' }, live())).close();
    expect(messages.text()).toContain('Code: code-of-a-test');
  });
});

test('says that it serves a film only where it does', async () => {
  for (const [url, says] of [
    ['http://127.0.0.1:4321/stream/x/Sintel.mkv', true],
    ['http://127.0.0.1.example:4321/Sintel.mkv', false],
    ['https://nas.example/Sintel.mkv?token=x', false],
  ] as const) {
    const { host, messages, output } = await setUp();
    Object.assign(output.through, { isTTY: true });
    await host.play({ stream: { url }, title: 'Sintel' });
    expect(messages.text().includes('Served until Ctrl-C.')).toBe(says);
  }
});

test('the settings are where they are said to be, and kept to ourselves', async () => {
  const { host, messages, folder } = await setUp({ max_size_mb: 100 });
  await host.writeSettings({ indexer_name: 'Example' });
  await host.openSettings('sources');
  const file = join(folder, 'settings.json');
  expect(messages.text()).toBe(`The settings are in ${file}.\n`);
  // A number stays one.
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ max_size_mb: 100, indexer_name: 'Example' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['settings.json']);
});
