import type { Wanted } from '../post.ts';
import { type Entry, type Found, search } from './entries.ts';
import { parsedFile, parseName } from './parsed-file.ts';
import type { AioStreams } from './service.ts';

const PROJECT = 'https://github.com/Viren070/AIOStreams';
const GROUP = 'com.aiostreams.viren070';

/** The rows of a stream list. @param tellsAll whether each has its `streamData` */
export function rows(wanted: Wanted, tellsAll: boolean, service: AioStreams): readonly unknown[] {
  const { settings } = service;
  const found = search(wanted, service);
  const releases = found.entries.flatMap((entry, n) => [
    { ...row(entry, settings), ...(tellsAll && { streamData: streamData(entry, n, settings) }) },
    ...(settings.downloads ? [download(entry)] : []),
  ]);
  return [
    ...(settings.statistics ? statistics(found, settings) : []),
    ...releases,
    ...found.errors.map(({ title, description }) => errorRow(title, description)),
  ];
}

const errorRow = (title: string, description: string) => ({
  name: title,
  description,
  externalUrl: PROJECT,
  streamData: { type: 'error', error: { title, description }, id: `error.${title}` },
});

/** The one row of a list that fails as a whole. */
export const onlyError = (description: string) => ({ streams: [errorRow('[❌] AIOStreams', description)] });

export function bingeGroup({ post: { release } }: Entry): string {
  const { resolution, quality, releaseGroup } = parseName(release.name);
  return [GROUP, resolution, quality, releaseGroup].join('|');
}

function row(entry: Entry, settings: AioStreams['settings']) {
  const { post, file, url } = entry;
  const { release } = post;
  return {
    ...(settings.formatter === 'gdrive' ? gdrive(entry, settings) : torrentio(entry, settings)),
    url,
    behaviorHints: {
      videoSize: file?.size ?? release.size,
      filename: file?.name ?? release.name,
      folderSize: release.size,
      bingeGroup: bingeGroup(entry),
    },
  };
}

/** The formatters are the person's choice: what they write is for people. */
function gdrive(entry: Entry, { indexerAt }: AioStreams['settings']) {
  const { post, file, age } = entry;
  const { release } = post;
  const { resolution, quality, encode, releaseGroup } = parseName(release.name);
  const size = file?.size ?? release.size;
  const sizes =
    size === release.size ? short(size, 'B') : `${short(size, 'B')} / ${short(release.size, 'B')}`;
  const rate = bitrate(entry);
  return {
    name: `[AIO⚡] ${indexerAt.name} ${file === undefined ? '' : '(Your Media) '}${resolution ?? 'Unknown'}`,
    description: [
      `🎥 ${quality} 🎞️ ${encode} 🏷️ ${releaseGroup} `,
      `📦 ${sizes} ${rate === null ? '' : `(${short(rate, 'bps')})`}📅 ${Math.floor(age / 24)}d 🔍 ${indexerAt.name}`,
      `📁 ${release.name}${file === undefined ? '' : `/${file.name}`}`,
    ].join('\n'),
  };
}

function torrentio({ post: { release }, age }: Entry, { indexerAt }: AioStreams['settings']) {
  const size = (release.size / 2 ** 20).toFixed(2);
  return {
    name: `[AIO+] ${indexerAt.name} ${parseName(release.name).resolution ?? 'Unknown'}`,
    description: `${release.name}\n💾${size} MiB 📅${Math.floor(age / 24)}d ⚙️${indexerAt.name}`,
  };
}

/** Three digits of it: "11.2 Mbps", "91.3 MB". */
function short(amount: number, unit: string): string {
  const [power, prefix] = amount >= 1e9 ? [1e9, 'G'] : amount >= 1e6 ? [1e6, 'M'] : [1e3, 'K'];
  return `${Number((amount / power).toPrecision(3))} ${prefix}${unit}`;
}

/** Of a film; how long an episode is it does not know. */
export function bitrate({ post: { release }, file }: Entry): number | null {
  const seconds = release.videos[0]?.seconds ?? 0;
  if (release.of.kind === 'show' || seconds === 0) return null;
  return Math.round(((file?.size ?? release.size) * 8) / seconds);
}

/** A row for browsers, whose address is that of the row before it. */
const download = ({ url, post: { release } }: Entry) => ({
  name: '[AIO+]  Unknown',
  description: 'ℹ️Download the stream above via your browser',
  externalUrl: url,
  behaviorHints: { folderSize: release.size, bingeGroup: `${GROUP}|` },
});

const PHASES = ['Fetch', 'Service Wrap', 'Dedup', 'Precompute', 'Sort', 'Limit', 'SEL'];

function statistics({ entries }: Found, { indexerAt }: AioStreams['settings']): readonly unknown[] {
  const texts = {
    [`🟢 [${indexerAt.name} AIO] Scrape Summary`]: `✔ Status      : SUCCESS\n📦 Streams    : ${entries.length}\n📋 Details    : Successfully fetched streams.\n⏱️ Time       : 7.00ms\n`,
    '⏱️ Pipeline Timing': PHASES.map((phase) => `${phase}: 0ms`).join('\n'),
    '🔍 Filter Breakdown': '⏱️ Total: 0ms (1 call)',
  };
  return Object.entries(texts).map(([name, description]) => ({
    name,
    description,
    externalUrl: PROJECT,
    streamData: { type: 'statistic' },
  }));
}

function streamData({ post, info, file, age }: Entry, n: number, { indexerAt }: AioStreams['settings']) {
  const { release } = post;
  return {
    type: 'usenet',
    proxied: false,
    indexer: indexerAt.name,
    age,
    library: file !== undefined,
    size: file?.size ?? release.size,
    nzbUrl: info.nzb,
    releaseKey: info.releaseKey,
    torrent: { fileIdx: info.index, private: false, freeleech: false },
    ...(file !== undefined && { folderName: release.name, folderSize: release.size }),
    addon: indexerAt.name,
    filename: file?.name ?? release.name,
    service: { id: 'aiostreams', cached: true },
    parsedFile: parsedFile(release, file?.name),
    id: `nz11a2c-${n}`,
  };
}
