import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openResumePoints, resumeKey } from '../../src/library/index.ts';
import { saveResumePoint } from '../../src/service/resume-point.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const KEY = resumeKey(release(), { kind: 'movie', title: 'Sintel', year: 2010, ids: {} });
const MARK = JSON.stringify(KEY);

function notes() {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const log = memoryLog();
  return {
    point: () => openResumePoints({ folder, log }).forRelease(KEY),
    stopped: (time: number, finished = false, mark = MARK) =>
      saveResumePoint({ time, duration: 6000, isFinished: finished, mark }, folder, log),
  };
}

test('a film that was stopped is taken up there, one that was seen to its end nowhere', async () => {
  const { point, stopped } = notes();
  await stopped(1000);
  expect(await point()).toMatchObject({ position: 1000, duration: 6000, sameCut: true });
  await stopped(5990, true);
  expect(await point()).toBeUndefined();
});

test('a film whose mark the version before has made keeps its place', async () => {
  const { point, stopped } = notes();
  const [name = ''] = KEY.names.filter((each) => each.startsWith('dated.'));
  await stopped(1000, false, JSON.stringify({ film: name.replace('dated.', ''), release: KEY.release }));
  expect(await point()).toMatchObject({ position: 1000 });
});

test.each(['', 'no JSON', '{"film":"../../x","release":"y"}'])(
  'a mark that is none (%j) is left alone',
  async (mark) => {
    const { point, stopped } = notes();
    await stopped(1000, false, mark);
    expect(await point()).toBeUndefined();
  },
);
