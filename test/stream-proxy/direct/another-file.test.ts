import { describe, expect, onTestFinished, test } from 'vitest';
import type { DirectPost } from '../../../sandbox/direct-stream/post.ts';
import { closedPort } from '../../support/http-server.ts';
import { bytesOf, film, MB, played, startAioStreamsLab, startStreamNzbLab } from './lab.ts';

const SIZE = 8 * MB;
const ARTICLE = 716_800;

async function streamNzbLab(posts: readonly DirectPost[], failover = false) {
  const lab = await startStreamNzbLab(posts, { failover });
  onTestFinished(lab.close);
  return lab;
}

describe('not a byte of another file', () => {
  test('comes where a lost article leads StreamNZB on to another release', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE, { lost: [6] });
    // As large as the chosen one, and of the same validators: only where it comes from tells.
    const lab = await streamNzbLab([chosen, film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', SIZE)], true);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const came = await played(url, bytesOf(chosen));
    expect(came).toMatchObject({ isWhole: false, wrong: 0 });
    expect(came.count).toBeLessThanOrEqual(6 * ARTICLE);
    expect(lab.proxy.sessions()[0]?.failure).toMatchObject({
      what: expect.stringContaining('something else in the place of the film') as string,
    });
  });

  test('comes of a clip that stands in its place', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', 60 * ARTICLE, {
      lost: [5, 15, 22, 30, 38],
    });
    const lab = await startAioStreamsLab([chosen]);
    onTestFinished(lab.close);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const truth = bytesOf(chosen);
    const came = await played(url, truth);
    const [session] = lab.proxy.sessions();
    const filled = session!.fills.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    expect(came.wrong).toBeLessThanOrEqual(filled);
    expect(came.isWhole).toBe(false);
    expect(session!.decisions.at(-1)?.what).toContain('the service gives the file up');
  });

  test('comes of the release that stands at the address now', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([chosen, film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', SIZE)]);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const truth = bytesOf(chosen);
    expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
    // The list has another order after a restart, and the chosen one has left it.
    lab.service.posts.shift();
    await lab.service.restart();
    await lab.rows();
    const came = await played(url, truth, 'bytes=4000000-');
    expect(came).toMatchObject({ wrong: 0, isWhole: false });
  });
});

describe('an address that has died', () => {
  test('is found again in its list: the film goes on after a restart', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', 7 * MB), chosen]);
    const [, row] = await lab.rows();
    const url = await lab.open(row!);
    const truth = bytesOf(chosen);
    expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
    await lab.service.restart();
    expect(await played(url, truth, 'bytes=1000000-')).toMatchObject({
      count: SIZE - MB,
      wrong: 0,
      isWhole: true,
    });
  });

  test('is found again at another place of it', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([chosen, film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', SIZE)]);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const truth = bytesOf(chosen);
    expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
    lab.service.posts.unshift(film('Big.Buck.Bunny.2008.1080p.WEB.x264-C', SIZE));
    await lab.service.restart();
    await lab.rows();
    expect(await played(url, truth, 'bytes=1000000-')).toMatchObject({
      count: SIZE - MB,
      wrong: 0,
      isWhole: true,
    });
  });

  test('is found again where the service lists addresses that this device does not reach', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', 7 * MB), chosen]);
    const own = lab.service.url;
    lab.service.settings.baseUrl = await closedPort();
    const [, row] = await lab.rows();
    expect(row!.url).not.toContain(own);
    const opening = { who: 'Example', wait: 10_000, listedAt: own };
    const url = await lab.open(row!, { opening });
    const truth = bytesOf(chosen);
    expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
    lab.service.posts.reverse();
    await lab.service.restart();
    expect(await played(url, truth, 'bytes=1000000-')).toMatchObject({
      count: SIZE - MB,
      wrong: 0,
      isWhole: true,
    });
  });

  test('is found again before the play', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([chosen]);
    const [row] = await lab.rows();
    await lab.service.restart();
    const url = await lab.open(row!);
    expect(await played(url, bytesOf(chosen))).toMatchObject({ count: SIZE, wrong: 0, isWhole: true });
  });

  describe('before the play, where the service lists addresses that this device does not reach', () => {
    async function restarted() {
      const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
      const lab = await streamNzbLab([film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', 7 * MB), chosen]);
      const own = lab.service.url;
      const nowhere = await closedPort();
      lab.service.settings.baseUrl = nowhere;
      const [, row] = await lab.rows();
      await lab.service.restart();
      return { chosen, lab, nowhere, row: row!, opening: { who: 'Example', wait: 10_000, listedAt: own } };
    }

    test('is found again', async () => {
      const { chosen, lab, row, opening } = await restarted();
      const url = await lab.open(row, { opening });
      expect(await played(url, bytesOf(chosen))).toMatchObject({ count: SIZE, wrong: 0, isWhole: true });
    });

    test('is what is missing where its list no longer has it', async () => {
      const { lab, row, opening, nowhere } = await restarted();
      lab.service.posts.pop();
      const refusal = (await lab.prepare(row, { opening })).json();
      expect(refusal).toMatchObject({
        code: 'BAD_ANSWER',
        what: 'Example named a stream that is not there.',
      });
      expect(JSON.stringify(refusal)).not.toContain(nowhere);
    });

    test('is not, and the setting of its origin is named, where its list cannot be asked', async () => {
      const { lab, row, opening, nowhere } = await restarted();
      const answer = await lab.prepare(row, { opening, listed: undefined });
      expect(answer.json()).toMatchObject({
        code: 'UNREACHABLE',
        what: expect.stringContaining(nowhere) as string,
        next: expect.stringContaining('BASE_URL') as string,
      });
    });
  });

  test('is not taken for found where other bytes are there under the same name and size', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([chosen]);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const truth = bytesOf(chosen);
    expect(await played(url, truth, 'bytes=0-999999')).toMatchObject({ wrong: 0, isWhole: true });
    const [video] = chosen.release.videos;
    const other = film(row!.name, SIZE, { videos: [{ ...video!, seconds: 30 }] });
    lab.service.posts.splice(0, 1, other);
    await lab.service.restart();
    const came = await played(url, truth, 'bytes=1000000-');
    expect(came).toMatchObject({ wrong: 0, isWhole: false });
  });
});

describe('a lost article', () => {
  test('that is promised, and comes as no byte, is bridged: all other bytes are right', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', 12 * MB, { lost: [6] });
    const lab = await streamNzbLab([chosen]);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    const came = await played(url, bytesOf(chosen));
    expect(came).toMatchObject({ count: 12 * MB, isWhole: true });
    const [session] = lab.proxy.sessions();
    expect(session!.fills).toEqual([expect.objectContaining({ first: 6 * ARTICLE, last: 7 * ARTICLE - 1 })]);
    expect(came.wrong).toBeLessThanOrEqual(ARTICLE);
    expect(came.wrongAt).toBeGreaterThanOrEqual(6 * ARTICLE);
  });

  test('is none where the provider is away for a while, and all bytes come when it is back', async () => {
    const chosen = film('Big.Buck.Bunny.2008.1080p.WEB.x264-A', SIZE);
    const lab = await streamNzbLab([chosen]);
    const [row] = await lab.rows();
    const url = await lab.open(row!);
    lab.service.after(3 * MB, () => {
      lab.service.settings.provider = 'away';
      setTimeout(() => {
        lab.service.settings.provider = 'there';
      }, 1_000);
    });
    expect(await played(url, bytesOf(chosen))).toMatchObject({ count: SIZE, wrong: 0, isWhole: true });
    expect(lab.proxy.sessions()[0]!.fills).toEqual([]);
  });
});

describe('a stream of a service that has ended', () => {
  const name = 'Big.Buck.Bunny.2008.1080p.WEB.x264-A';

  async function endedFilm() {
    const chosen = film(name, SIZE);
    const lab = await streamNzbLab([film('Big.Buck.Bunny.2008.1080p.WEB.x264-B', SIZE), chosen]);
    const row = (await lab.rows()).find((each) => each.name === name);
    const url = await lab.open(row!);
    const [session] = lab.proxy.sessions();
    lab.proxy.endSession(session!.id);
    return { chosen, lab, url };
  }

  test('is opened again by its list when its address has died', async () => {
    const { chosen, lab, url } = await endedFilm();
    await lab.service.restart();
    expect(await played(url, bytesOf(chosen))).toMatchObject({ status: 206, isWhole: true, wrong: 0 });
  });

  test('is refused when another release is at its address, and its list no longer has it', async () => {
    const { chosen, lab, url } = await endedFilm();
    lab.service.posts.pop();
    await lab.service.restart();
    expect(await played(url, bytesOf(chosen))).toMatchObject({ status: 502 });
    expect(lab.proxy.sessions()).toEqual([]);
  });
});
