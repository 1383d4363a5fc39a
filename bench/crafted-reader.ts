// Reads what its argument names, and writes for how many milliseconds nothing else had its turn: the median of some runs.
import './ends-with-parent.ts';
import { contentReader, MAX_FILES } from '../src/backends/nzb/content.ts';
import { readNzbDocument } from '../src/backends/nzb/document.ts';
import { streamableNzb } from '../src/backends/nzb/streamable.ts';
import { YIELD_INTERVAL_MS, yieldEvery } from '../src/io/wait.ts';
import { planFill } from '../src/media/plan-fill.ts';
import { type MediaRequest, type Release, UNKNOWN_QUALITY } from '../src/model/index.ts';
import { readFeed } from '../src/search/sources/newznab/feed-document.ts';
import { around, inMemory } from '../test/media/holes.ts';
import { type Crafted, clustersInARow, voidsLikeGroups } from '../test/media/matroska/crafted.ts';
import { largeNzb, nzbBytes, postedFile } from '../test/support/nzb.ts';
import { median } from './figure.ts';
import { type CraftedName, RUNS } from './service/crafted-names.ts';

const MB = 1_000_000;
const MIB = 1024 * 1024;

/** What is given up counts as any other. */
type Work = () => Promise<unknown>;

const { signal } = new AbortController();
const giveWay = () => yieldEvery(YIELD_INTERVAL_MS, signal);

const REQUEST: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const RELEASE: Release = {
  name: 'Sintel.2010.2160p.REMUX',
  links: [{ url: '', guid: '', indexer: '', source: '' }],
  quality: UNKNOWN_QUALITY,
};

function nzb(bytes: Uint8Array): Work {
  return async () => {
    const reader = contentReader();
    const { kind } = await readNzbDocument(bytes, giveWay(), reader.handlers);
    if (kind === 'nzb')
      await streamableNzb(reader.content, { request: REQUEST, release: RELEASE }, giveWay());
  };
}

const feed =
  (bytes: Uint8Array): Work =>
  () =>
    readFeed(bytes, 16 * MB, giveWay());

function hole({ bytes, hole: lost }: Crafted): Work {
  const reader = around(inMemory(bytes), [lost]);
  return () => planFill('video/x-matroska', lost, reader, signal);
}

const filesCalled = (nameOf: (at: number) => string): Uint8Array =>
  nzbBytes(Array.from({ length: MAX_FILES }, (_, at) => postedFile(nameOf(at), 1)));

const filled = (start: string, piece: string, length: number): Uint8Array =>
  new Uint8Array(Buffer.from(start + piece.repeat(length / piece.length)));

/** By what the figure calls them (crafted.ts). */
const WORKS: Readonly<Record<CraftedName, () => Work>> = {
  'NZB of 12 MB': () => nzb(largeNzb()),
  'of 20,000 files': () => nzb(filesCalled((at) => `${at}.bin`)),
  'of 20,000 videos': () => nzb(filesCalled((at) => `Sintel.S01E${at}.mkv`)),
  'of 20,000 volumes': () => nzb(filesCalled((at) => `Sintel.part${at}.rar`)),
  'of 20,000 files of one name': () => nzb(filesCalled(() => 'Sintel.mkv')),
  'of "&"': () => nzb(filled('<nzb>', '&', 95 * MB)),
  'of "&" between tags': () => nzb(filled('<nzb>', `${'&'.repeat(12_000)}<a/>`, 95 * MB)),
  'feed of "&"': () => feed(filled('<rss><channel>', '&', 15 * MB)),
  'feed of "&" between tags': () => feed(filled('<rss><channel>', `${'&'.repeat(12_000)}<a/>`, 15 * MB)),
  'Voids like BlockGroups': () => hole(voidsLikeGroups(9 * MIB, 3 * MIB)),
  'Clusters in a row': () => hole(clustersInARow(9 * MIB)),
};

/** Milliseconds of the longest time between two turns. */
async function longestWhile(work: () => Promise<unknown>): Promise<number> {
  let goesOn = true;
  let longest = 0;
  let since = performance.now();
  const turn = () => {
    longest = Math.max(longest, performance.now() - since);
    since = performance.now();
    if (goesOn) setImmediate(turn);
  };
  setImmediate(turn);
  await work().catch(() => undefined);
  turn();
  goesOn = false;
  return longest;
}

async function main(name: CraftedName): Promise<void> {
  const work = WORKS[name]();
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await longestWhile(work));
  process.stdout.write(`${median(runs)}\n`);
}

main(process.argv[2] as CraftedName).catch((error: unknown) => {
  throw error;
});
