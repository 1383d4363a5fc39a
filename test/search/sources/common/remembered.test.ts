import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SlipstreamError } from '../../../../src/errors/index.ts';
import { persisted } from '../../../../src/search/sources/common/persisted.ts';
import { memoryLog } from '../../../support/log.ts';

const signal = new AbortController().signal;
const DAY = 86_400_000;

let folder: string;
let asked: number;
beforeEach(async () => {
  asked = 0;
  folder = await mkdtemp(join(tmpdir(), 'remembered-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

function open(
  answer: () => string,
  {
    fallback,
    address = 'http://x',
    outlives,
  }: { fallback?: string; address?: string; outlives?: (error: unknown) => boolean } = {},
) {
  return persisted<string>({
    folder,
    topic: 'caps',
    address,
    who: 'x',
    schema: v.string(),
    maxAge: DAY,
    fetch: () => {
      asked++;
      return Promise.resolve().then(answer);
    },
    log: memoryLog(),
    ...(fallback !== undefined && { fallback }),
    ...(outlives !== undefined && { canUseStale: outlives }),
  });
}

const fails = (code: 'BAD_ANSWER' | 'AUTH_FAILED' | 'UNREACHABLE' | 'RATE_LIMITED') => (): string => {
  throw new SlipstreamError(code, { what: 'x', next: 'x' });
};

async function age(ms: number): Promise<void> {
  const file = join(folder, (await readdir(folder))[0] ?? '');
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(/"until":(\d+)/, (_all, until) => `"until":${Number(until) - ms}`),
  );
}

describe('remembered', () => {
  it('asks once, in this process and the next', async () => {
    const first = open(() => 'a');
    expect([await first.get(signal), await first.get(signal)]).toEqual(['a', 'a']);
    expect(await open(() => 'b').get(signal)).toBe('a');
    expect(asked).toBe(1);
  });

  it('keeps each address apart, and shows none in a file name', async () => {
    await open(() => 'a', { address: 'http://x/secret-path' }).get(signal);
    expect(await open(() => 'b', { address: 'http://y' }).get(signal)).toBe('b');
    expect((await readdir(folder)).join()).not.toContain('secret');
  });

  it.each([
    ['old', () => age(DAY + 1000)],
    ['of a time to come', () => age(-2 * DAY)],
    ['damaged', async () => writeFile(join(folder, (await readdir(folder))[0] ?? ''), '{')],
  ])('asks again when what is there is %s', async (_case, spoil) => {
    await open(() => 'a').get(signal);
    await spoil();
    expect(await open(() => 'b').get(signal)).toBe('b');
  });

  it('falls back when it cannot be had, and does not ask at once again', async () => {
    const { get } = open(fails('BAD_ANSWER'), { fallback: 'usual' });
    expect([await get(signal), await get(signal)]).toEqual(['usual', 'usual']);
    expect(await open(fails('BAD_ANSWER'), { fallback: 'usual' }).get(signal)).toBe('usual');
    expect(asked).toBe(1);
    await age(3_700_000);
    expect(await open(() => 'a', { fallback: 'usual' }).get(signal)).toBe('a');
  });

  it('goes by what is old rather than by what is usual', async () => {
    await open(() => 'a').get(signal);
    await age(DAY + 1000);
    expect(await open(fails('BAD_ANSWER'), { fallback: 'usual' }).get(signal)).toBe('a');
  });

  it.each(['AUTH_FAILED', 'RATE_LIMITED', 'UNREACHABLE'] as const)('does not hide %s', async (code) => {
    await expect(open(fails(code), { fallback: 'usual' }).get(signal)).rejects.toMatchObject({ code });
    expect(await readdir(folder)).toEqual([]);
  });

  describe('where the search waits for who is away', () => {
    const outlives = (error: unknown) => error instanceof SlipstreamError && error.code === 'UNREACHABLE';

    it('goes by what is old, and asks again the next time', async () => {
      await open(() => 'a').get(signal);
      await age(DAY + 1000);
      const late = open(fails('UNREACHABLE'), { outlives });
      expect([await late.get(signal), await late.get(signal)]).toEqual(['a', 'a']);
      expect(asked).toBe(3);
      expect(await open(() => 'b').get(signal)).toBe('b');
    });

    it.each([
      ['nothing is known', 'UNREACHABLE', false],
      ['it fails of something else', 'AUTH_FAILED', true],
    ] as const)('fails when %s', async (_case, code, isKnown) => {
      if (isKnown) await open(() => 'a').get(signal);
      if (isKnown) await age(DAY + 1000);
      const late = open(fails(code), { fallback: 'usual', outlives });
      await expect(late.get(signal)).rejects.toMatchObject({ code });
    });

    it('fails when told to ask anew', async () => {
      await open(() => 'a').get(signal);
      const renewing = open(fails('UNREACHABLE'), { outlives });
      await renewing.get(signal);
      await expect(renewing.refresh(signal)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    });
  });

  it('fails where there is nothing to fall back to', async () => {
    await expect(open(fails('BAD_ANSWER')).get(signal)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('asks anew when told so', async () => {
    const value = open(() => `answer ${asked}`);
    expect([await value.get(signal), await value.refresh(signal), await value.get(signal)]).toEqual([
      'answer 1',
      'answer 2',
      'answer 2',
    ]);
  });
});
