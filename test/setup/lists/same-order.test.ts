import { describe, expect, test } from 'vitest';
import { runFirstRun } from '../../../src/setup/index.ts';
import type { PendingQuestion, Person } from '../../support/scripted-person.ts';
import { act, during, type Stage, stage } from '../stage.ts';

// Nobody listens there, so the test that follows fails at once.
const ADDRESS = 'http://127.0.0.1:1';
const SOURCES = ['newznab', 'hydra', 'prowlarr', 'stremio'];

type Answers = (person: Person) => Promise<unknown>;

const chooses =
  (id: string): Answers =>
  (person) =>
    person.choose(id);
const writes =
  (text: string): Answers =>
  (person) =>
    person.write(text);

/** What a question asks for, whatever it is called there. */
function subject(asked: PendingQuestion): string {
  if (asked.kind === 'choice') {
    const known = asked.rows.map(({ id }) => id);
    // The first run has other answers to it as well: the phone, a look at the network.
    if (known.includes('newznab'))
      return `what searches: ${known.filter((id) => SOURCES.includes(id)).join(', ')}`;
    return `which indexer: ${known.join(', ')}; the focus is on ${asked.focused}`;
  }
  if (asked.kind === 'text') return /\bkey\b/i.test(asked.title) ? 'key' : 'address';
  return asked.kind;
}

/** What is asked from there on until the answers are used up, and the service is tested. */
async function askedFrom(staged: Stage, answers: readonly Answers[]): Promise<string[]> {
  const { person } = staged.host;
  await person.asked();
  const before = person.history.length;
  for (const answer of answers) await answer(person);
  expect((await person.waitFor('yes-no')).title).toMatch(/does not work yet$/);
  return person.history.slice(before - 1, -1).map(subject);
}

async function askedForTheFirst(answers: readonly Answers[]): Promise<string[]> {
  const staged = await stage();
  let asked: string[] = [];
  await during(runFirstRun(staged.context), staged, async (person) => {
    asked = await askedFrom(staged, answers);
    // From where it is wrong to what was entered, and on to the start.
    while ((await person.back()).title !== 'Set up Slipstream: what do you search with?');
  });
  return asked;
}

async function askedForAnother(answers: readonly Answers[]): Promise<string[]> {
  const staged = await stage();
  let asked: string[] = [];
  await act('indexers', staged, async (person) => {
    await person.choose('add');
    asked = await askedFrom(staged, answers);
    await person.back();
    await person.back();
  });
  return asked;
}

const WHAT = 'what searches: newznab, hydra, prowlarr, stremio';
const WHICH = expect.stringMatching(
  /^which indexer: .*NZBGeek.*, other; the focus is on other$/,
) as unknown as string;

describe('a further indexer is asked for in the order of the first', () => {
  test.each<[string, Answers[], string[]]>([
    [
      'an indexer that is not listed',
      [chooses('newznab'), chooses('other'), writes(ADDRESS), writes('key')],
      [WHAT, WHICH, 'address', 'key'],
    ],
    ['NZBHydra2', [chooses('hydra'), writes(ADDRESS), writes('key')], [WHAT, 'address', 'key']],
    ['Prowlarr', [chooses('prowlarr'), writes(ADDRESS), writes('key')], [WHAT, 'address', 'key']],
    ['a Stremio add-on', [chooses('stremio'), writes(`${ADDRESS}/manifest.json`)], [WHAT, 'address']],
  ])('%s', async (_name, answers, order) => {
    const first = await askedForTheFirst(answers);
    expect(first).toEqual(order);
    expect(await askedForAnother(answers)).toEqual(first);
  });
});
