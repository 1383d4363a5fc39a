import { describe, expect, it } from 'vitest';
import { verifyPlayable } from '../../src/backends/verify-playable.ts';
import type { JobFile } from '../../src/job-files/files.ts';
import { memoryLog } from '../support/log.ts';
import { postedFile, type WrittenFile } from '../support/nzb.ts';
import { EPISODE, streamable } from './nzb/lab.ts';

/** Bytes of an article's content. */
const ARTICLE = 716_800;
const NAME = 'Sintel.2010.1080p.BluRay.x264-DURIAN';
const FILM = postedFile(`${NAME}.mkv`, 100);
const PARITY = [postedFile(`${NAME}.par2`, 1), postedFile(`${NAME}.vol000+15.par2`, 15)];
const SAMPLE = postedFile('durian-sintel-sample.mkv', 5);

async function heldBy(files: readonly WrittenFile[], options = {}): Promise<number | undefined> {
  const nzb = await streamable([files], options);
  if ('lacking' in nzb) expect.unreachable(JSON.stringify(nzb));
  return 'lacking' in nzb ? undefined : nzb.videoBytes;
}

/** What comes of a video of so many articles in a job, beside other files. */
async function judge(held: number | undefined, articles: number, ...others: JobFile[]): Promise<string> {
  const name = `${NAME}.mkv`;
  const size = articles * ARTICLE;
  const { signal } = new AbortController();
  const read = ({ length }: { readonly length: number }) => Promise.resolve(Buffer.alloc(length, 1));
  const files = [{ path: [name], size }, ...others];
  const file = { via: 'player', url: 'unused', name, size } as const;
  return await verifyPlayable(file, { nzbVideoBytes: held, files, read, signal, log: memoryLog() }).then(
    () => 'ready',
    (error: unknown) => String(error),
  );
}

const near = (articles: number) => [articles * ARTICLE * 0.96, articles * ARTICLE * 1.001] as const;
const expectNear = (held: number | undefined, articles: number) => {
  const [least, most] = near(articles);
  expect(held).toBeGreaterThan(least);
  expect(held).toBeLessThan(most);
};

describe('what the NZB holds of the film', () => {
  it('plays a film with 15 % par2 and a sample of 5 % beside it, and refuses three quarters less a little', async () => {
    const held = await heldBy([FILM, ...PARITY, SAMPLE]);
    expectNear(held, 100);
    expect(await judge(held, 99.2)).toBe('ready');
    expect(await judge(held, 76)).toBe('ready');
    expect(await judge(held, 72)).toMatch(/DAMAGED: The video is far smaller than what the NZB holds of it/);
    // The sample in its place.
    expect(await judge(held, 12)).toMatch(/DAMAGED/);
  });

  it('is counted in the volumes of an archive, without proofs, subtitles and other videos', async () => {
    const volumes = Array.from({ length: 10 }, (_, at) => postedFile(`sintel.part${at + 10}.rar`, 10));
    const beside = [
      ...[postedFile('sintel-proof.rar', 20), postedFile('sintel.subs.rar', 20), SAMPLE],
      ...[postedFile('Caminandes.2013.1080p.mkv', 30), ...PARITY],
    ];
    expectNear(await heldBy([...volumes, ...beside]), 99 - 9 * 0.83);
  });

  it('is not known where names do not tell, nor of a pack or a disc', async () => {
    const nameless = Array.from({ length: 5 }, (_, at) => ({
      ...postedFile(`x${at}`, 20),
      subject: `q8Zr2mVt0${at} (1/20)`,
    }));
    expect(await heldBy(nameless)).toBeUndefined();
    const pack = [1, 2, 3].map((number) => postedFile(`Caminandes.S01E0${number}.mkv`, 30));
    const options = { request: EPISODE, name: 'Caminandes.S01.1080p.WEB-DL.x264-PACKED' };
    expect(await heldBy(pack, options)).toBeUndefined();
    const single = { request: EPISODE, name: 'Caminandes.S01E02.1080p.WEB-DL.x264-PUNA' };
    expectNear(await heldBy(pack.slice(1, 2), single), 30);
    const disc = { name: 'Sintel.2010.COMPLETE.BLURAY-DURIAN' };
    expect(await heldBy([FILM], disc)).toBeUndefined();
    expect(await judge(undefined, 1)).toBe('ready');
  });

  it('is held against all videos of a disc, but for its extras, and proves nothing without their sizes', async () => {
    const stream = (path: string, size?: number): JobFile => ({
      path: path.split('/'),
      ...(size !== undefined && { size }),
    });
    const held = 100 * ARTICLE;
    expect(await judge(held, 60, stream('BDMV/STREAM/00002.m2ts', 20 * ARTICLE))).toBe('ready');
    expect(await judge(held, 60, stream('Sample/sintel.mkv', 20 * ARTICLE))).toMatch(/DAMAGED/);
    expect(await judge(held, 60, stream('sintel.nfo', 20 * ARTICLE))).toMatch(/DAMAGED/);
    expect(await judge(held, 60, stream('BDMV/STREAM/00002.m2ts'))).toBe('ready');
  });
});
