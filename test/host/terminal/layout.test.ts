import { describe, expect, test } from 'vitest';
import { registerSecret } from '../../../src/log/index.ts';
import { setUp } from './terminal-in-memory.ts';

const live = () => new AbortController().signal;

describe('lines', () => {
  const ROW = { id: 'a', label: 'Prowlarr', detail: 'A server that manages and searches your indexers.' };

  test('are broken at words to the width of the terminal, and keep their indent', async () => {
    const { host, input, messages } = await setUp({}, { columns: 30 });
    const answer = host.questions.choose(
      { title: 'Which one of them all is it to be?', rows: [ROW] },
      live(),
    );
    input.write('\n');
    await answer;
    expect(messages.text()).toBe(
      [
        ...['Which one of them all is it to', 'be?'],
        ...['1  Prowlarr', '   A server that manages and', '   searches your indexers.'],
        ...['Which one? (Enter: 1, q:', 'back): '],
      ].join('\n'),
    );
  });

  test('are left as they are where nobody reads them on a terminal', async () => {
    const { host, messages } = await setUp({}, { columns: 30, isTTY: false });
    await host.notify({ what: 'One line, however many words it has.', next: 'Do so.' });
    expect(messages.text()).toBe('One line, however many words it has. Do so.\n');
  });

  test('that come while a long question stands are put above its last one', async () => {
    const { host, print: say, input, messages } = await setUp({}, { columns: 20 });
    const answer = host.questions.text({ title: 'The address of your indexer' }, live());
    await expect.poll(messages.text).toMatch(/: $/);
    say('news');
    input.write('x\n');
    await answer;
    expect(messages.text()).toBe('The address of your\nindexer: \r\u001b[2Knews\nindexer: ');
  });
});

test.each([
  ['Well?', 'Well? '],
  ['Enter it.', 'Enter it. '],
  ['Address', 'Address: '],
])('the question "%s" has no second mark at its end', async (title, shown) => {
  for (const hidden of [false, true]) {
    const { host, input, messages } = await setUp();
    const answer = host.questions.text({ title, hidden }, live());
    input.write('x\r\n');
    await answer;
    expect(
      messages
        .text()
        .split('\n')
        .map((line) => `${line.trimEnd()} `),
    ).toContain(shown);
  }
});

describe('a value that equals a secret', () => {
  test('is shown where it is no secret, be it stored or entered', async () => {
    registerSecret('admin');
    registerSecret('sintel-user');
    registerSecret('open-film-user');
    const { host, print: say, messages } = await setUp({ nzbget_username: 'sintel-user' });
    say('user admin');
    await host.readSettings(['nzbget_url']);
    say('user sintel-user');
    await host.writeSettings({ webdav_username: 'open-film-user' });
    say('user open-film-user');
    expect(messages.text()).toBe('user admin\nuser sintel-user\nuser open-film-user\n');
  });

  test('is hidden where it is entered as one, or stands in an address', async () => {
    registerSecret('caminandes-key');
    const { host, print: say, messages } = await setUp({ indexer_url: 'caminandes-key' });
    await host.readSettings(['indexer_url']);
    await host.writeSettings({ indexer_api_key: 'caminandes-key' });
    say('key caminandes-key');
    expect(messages.text()).toBe('key ***\n');
  });
});
