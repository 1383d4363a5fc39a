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
      // The terminal is as it was, and nothing of it was shown.
      expect(raw).toEqual([true, false]);
      expect(interrupts.waiting()).toBe(0);
      expect(input.listenerCount('data')).toBe(0);
      return { told, shown: messages.text() };
    };

    test('shows nothing of it', async () => {
      expect(await ask('hunter2\r')).toEqual({ told: 'hunter2', shown: 'Key: \n' });
      expect(await ask('\r', 'secret')).toEqual({
        told: 'secret',
        shown: 'Key (Enter: as it is, -: empty): \n',
      });
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
