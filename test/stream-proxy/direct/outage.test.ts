import { expect, onTestFinished, test } from 'vitest';
import { bytesOf, film, MB, played, startStreamNzbLab } from './lab.ts';

const SIZE = 8 * MB;

test('an outage in which what was read before still comes is no loss, however much of the film does not', async () => {
  const post = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
  const lab = await startStreamNzbLab([post]);
  onTestFinished(lab.close);
  const { settings } = lab.service;
  const truth = bytesOf(post);
  const [row] = await lab.rows();
  const url = await lab.open(row!);
  // StreamNZB keeps it, and gives it also while its provider is away.
  expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
  settings.provider = 'away';
  setTimeout(() => {
    settings.provider = 'there';
  }, 2_500);
  let at = 4 * MB;
  for (let returns = 0; returns < 10 && at < SIZE; returns++) {
    const came = await played(url, truth, `bytes=${at}-`);
    expect(came.wrong).toBe(0);
    at += came.count;
  }
  expect(at).toBe(SIZE);
  expect(lab.proxy.sessions()[0]).toMatchObject({ fills: [] });
  expect(lab.proxy.sessions()[0]?.lost).toBeUndefined();
});
