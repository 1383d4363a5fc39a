import { describe, expect, test } from 'vitest';
import { type PlayArguments, parsePlayArguments } from '../../src/commands/play-arguments.ts';
import { USAGE } from '../../src/commands/usage.ts';
import { SlipstreamError } from '../../src/errors/index.ts';

function parsed(...args: string[]): PlayArguments {
  const result = parsePlayArguments(args);
  if (result === 'help') throw new Error('help was understood');
  return result;
}

function complaint(...args: string[]): string {
  try {
    parsePlayArguments(args);
  } catch (error) {
    if (error instanceof SlipstreamError) return error.explanation.what;
  }
  throw new Error('the arguments were accepted');
}

describe('the arguments of play', () => {
  test('name a film', () => {
    const args = parsed('Sintel', '--year', '2010', '--imdb=tt1727587', '--best', '--player', 'mpv --fs');
    expect(args).toEqual({
      parameters: { type: 'movie', title: 'Sintel', year: '2010', imdb: 'tt1727587' },
      player: 'mpv --fs',
      automatic: true,
      verbose: false,
    });
  });

  test('name an episode', () => {
    const args = parsed('--season', '1', '--episode', '2', 'Caminandes', '--pick', '--verbose');
    expect(args).toEqual({
      parameters: { type: 'episode', showname: 'Caminandes', season: '1', episode: '2' },
      automatic: false,
      verbose: true,
    });
  });

  test.each([[['--help']], [['-h']], [['Sintel', '--help', '--year', 'x']]])('%j asks for help', (args) => {
    expect(parsePlayArguments(args)).toBe('help');
  });

  test('after "--" everything is a title', () => {
    expect(parsed('--', '--help').parameters).toEqual({ type: 'movie', title: '--help' });
  });

  test.each([
    [['--frobnicate'], 'There is no option --frobnicate.'],
    [['-x'], 'There is no option -x.'],
    [['--toString'], 'There is no option --toString.'],
    [['Sintel', '--year'], '--year needs a value.'],
    [['Sintel', '--year', '--pick'], '--year needs a value.'],
    [['Sintel', '--year='], '--year needs a value.'],
    [['Sintel', '--pick=no'], '--pick takes no value.'],
    [['Sintel', '--year', 'soon'], '--year wants a year such as 2010.'],
    [['Sintel', '--season', 'one', '--episode', '2'], '--season wants a number such as 1.'],
    [['Sintel', '--season', '1', '--episode', '-2'], '--episode needs a value.'],
    [['Sintel', '--season', '1', '--episode', '2.5'], '--episode wants a number such as 2.'],
    [['Sintel', '--season', '1'], '--season and --episode belong together.'],
    [['Sintel', '--episode', '1'], '--season and --episode belong together.'],
    [['Sintel', '--imdb', '1727587'], '--imdb wants an id such as tt1727587.'],
    [['Sintel', '--best', '--pick'], 'Choose one of --best and --pick.'],
    [[], 'Name one title; put it in quotes when it has several words.'],
    [[' '], 'Name one title; put it in quotes when it has several words.'],
    [['Big', 'Buck', 'Bunny'], 'Name one title; put it in quotes when it has several words.'],
  ])('%j is explained', (args, what) => {
    expect(complaint(...args)).toBe(what);
  });
});

test('the usage fits 79 columns and names every option that is understood', () => {
  for (const line of USAGE.split('\n')) expect(line.length).toBeLessThanOrEqual(79);
  const names = [...USAGE.matchAll(/^ {2}--(\w+)/gm)].map(([, name]) => name);
  for (const name of names) expect(() => parsePlayArguments(['t', `--${name}=x`])).not.toThrow('no option');
  expect(names).toHaveLength(12);
});
