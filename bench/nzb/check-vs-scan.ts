import { contentReader } from '../../src/backends/nzb/content.ts';
import { readNzbDocument } from '../../src/backends/nzb/document.ts';
import { streamableNzb } from '../../src/backends/nzb/streamable.ts';
import { yieldEvery } from '../../src/io/wait.ts';
import { type MediaRequest, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { largeNzb } from '../../test/support/nzb.ts';
import type { Figure } from '../figure.ts';

const RUNS = 9;
const WARM_UP = 2;
const LIMIT = 1.5;

/** What a backend that streams costs more: check and order of a large NZB, against telling that it is one. */
export const nzbCheckVsScan: Figure = {
  name: 'nzb.check-vs-scan',
  unit: '×',
  target: `≤ ${LIMIT}`,
  measure: async () => {
    const bytes = largeNzb();
    const scans: number[] = [];
    const checks: number[] = [];
    for (let run = -WARM_UP; run < RUNS; run++) {
      const scan = await timed(() => readNzbDocument(bytes, turns()));
      const check = await timed(() => checked(bytes));
      if (run < 0) continue;
      scans.push(scan);
      checks.push(check);
    }
    // The least disturbed run of each: both take what the processor takes, and nothing is waited for.
    const [scan, check] = [Math.min(...scans), Math.min(...checks)];
    const value = check / scan;
    const size = (bytes.byteLength / 1e6).toFixed(1);
    return {
      value,
      met: value <= LIMIT,
      note: `${check.toFixed(0)} ms against ${scan.toFixed(0)}, ${size} MB, n ${RUNS}`,
    };
  },
};

const turns = () => yieldEvery(20, new AbortController().signal);

const REQUEST: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };
const RELEASE: Release = {
  name: 'Sintel.2010.2160p.REMUX',
  links: [{ url: '', guid: '', indexer: '', source: '' }],
  quality: UNKNOWN_QUALITY,
};

async function checked(bytes: Uint8Array): Promise<void> {
  const reader = contentReader();
  await readNzbDocument(bytes, turns(), reader.handlers);
  const nzb = await streamableNzb(reader.content, { request: REQUEST, release: RELEASE }, turns());
  if (!('bytes' in nzb) || nzb.fileCount !== 513) throw new Error('the NZB is whole');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
