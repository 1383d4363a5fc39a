import { describe, expect, test } from 'vitest';
import { INFINIDYSK, whenQuery } from '../../sandbox/index.ts';
import type { PickerRow } from '../../src/host/port.ts';
import { type Pipeline, pipeline, SINTEL, SPRING } from './set-up.ts';

const LOST = { kind: 'fails', message: 'Article with message-id 1@x not found.' } as const;
const NOWHERE = { from: 0, to: Number.MAX_SAFE_INTEGER };
const MIDDLE = { from: 50_000_000, to: Number.MAX_SAFE_INTEGER };

/** The releases whose NZBs were fetched so far, by their ids. */
const fetched = ({ sandbox }: Pipeline) =>
  sandbox.requests.filter(whenQuery('t', 'get')).map(({ query }) => query['id']);
const submissions = ({ sandbox }: Pipeline) => sandbox.requests.filter(whenQuery('mode', 'addfile')).length;
const passed = (rows: readonly PickerRow[] = []) => rows.filter(({ rejections }) => rejections.length === 0);

describe('a release that has just proved broken', () => {
  test('is not chosen again while others are left', async () => {
    const p = await pipeline();
    p.sandbox.faults.job = LOST;
    expect(await p.resolve(SINTEL)).toBe(false);
    p.sandbox.faults.job = undefined;
    expect(await p.resolve(SINTEL)).toBe(true);
    const [first, second] = fetched(p);
    expect(second).not.toBe(first);
  });

  test('is chosen again when no other is left', async () => {
    const p = await pipeline({ settings: { max_attempts: '9' } });
    p.sandbox.faults.job = LOST;
    expect(await p.resolve(SINTEL)).toBe(false);
    const before = fetched(p);
    p.sandbox.faults.job = undefined;
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(before).toContain(fetched(p).at(-1));
  });

  test('is not submitted again in the place of another one that fails', async () => {
    const p = await pipeline({ settings: { max_attempts: '1' } });
    p.sandbox.faults.job = LOST;
    expect(await p.resolve(SINTEL)).toBe(false);
    const [broken] = fetched(p);
    p.host.settings['max_attempts'] = '2';
    expect(await p.resolve(SINTEL)).toBe(false);
    expect(fetched(p)).toHaveLength(3);
    expect(fetched(p).slice(1)).not.toContain(broken);
  });

  test('is last in the list and says when it failed; chosen by hand it is tried, and forgotten when it plays', async () => {
    const p = await pipeline({
      settings: { auto_select: 'false' },
      choice: ({ rows }) => {
        const failed = rows.find((row) => row.failed !== '');
        return Promise.resolve((failed ?? rows[0])?.id);
      },
    });
    p.sandbox.faults.job = LOST;
    expect(await p.resolve(SINTEL)).toBe(false);
    const [first] = p.host.picked.at(-1)?.rows ?? [];
    p.sandbox.faults.job = undefined;
    expect(await p.resolve(SINTEL)).toBe(true);
    const last = passed(p.host.picked.at(-1)?.rows).at(-1);
    expect(last?.name).toBe(first?.name);
    expect(last?.failed).toMatch(/^failed on \d{1,2} \w{3,4}$/);
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(p.host.picked.at(-1)?.rows.map(({ failed }) => failed)).not.toContain(last?.failed);
    expect(p.host.picked.at(-1)?.rows[0]?.name).toBe(first?.name);
  });

  test.each<[string, (p: Pipeline) => void]>([
    [
      'a backend without a provider',
      ({ sandbox: { faults } }) => {
        faults.job = { kind: 'fails', message: 'There are no usenet providers configured.' };
      },
    ],
    [
      'a provider that is away, so that nothing of the file comes',
      ({ sandbox: { faults } }) => {
        faults.missing = NOWHERE;
      },
    ],
    [
      'an indexer whose limit is reached',
      ({ sandbox: { faults } }) => {
        faults.indexer.push({ kind: 'status', status: 429, when: whenQuery('t', 'get'), times: 1 });
      },
    ],
    [
      'a key that the backend refuses',
      ({ sandbox: { faults } }) => {
        faults.api.push({ kind: 'wrong-key', when: whenQuery('mode', 'addfile') });
      },
    ],
  ])('is none because of %s', async (_, outage) => {
    const p = await pipeline();
    outage(p);
    expect(await p.resolve(SINTEL)).toBe(false);
    p.sandbox.faults.job = undefined;
    p.sandbox.faults.missing = undefined;
    p.sandbox.faults.api.length = 0;
    expect(await p.resolve(SINTEL)).toBe(true);
    const [first, second] = fetched(p);
    expect(second).toBe(first);
  });
});

describe('a job that was there before and proved broken', () => {
  test('is not played from again while it is there', async () => {
    const p = await pipeline({
      dialect: INFINIDYSK,
      settings: { auto_select: 'false' },
      choice: ({ rows }) => Promise.resolve(rows.find(({ name }) => name.includes('ALPENGLOW'))?.id),
    });
    const row = () => p.host.picked.at(-1)?.rows.find(({ name }) => name.includes('ALPENGLOW'));
    expect(await p.resolve(SPRING)).toBe(true);
    p.sandbox.faults.missing = MIDDLE;
    expect(await p.resolve(SPRING)).toBe(false);
    expect(row()?.downloaded).toBe(true);
    p.sandbox.faults.missing = undefined;
    expect(await p.resolve(SPRING)).toBe(true);
    expect(row()?.downloaded).toBe(false);
    expect(submissions(p)).toBe(3);
  });
});
