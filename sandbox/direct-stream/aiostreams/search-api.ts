import type { Answer, Incoming } from '../../http/types.ts';
import { errorAnswer, INVALID_USER, jsonAnswer } from './answers.ts';
import { type Entry, search } from './entries.ts';
import { parsedFile } from './parsed-file.ts';
import { bingeGroup, bitrate } from './rows.ts';
import type { AioStreams } from './service.ts';

const UNAUTHORIZED = errorAnswer(
  401,
  'UNAUTHORIZED',
  'At least one of AIOStreams-User-Data or Authorization headers must be present',
);

/** `/api/v1/search`: the same releases, with what an indexer tells of them, and errors apart. */
export function searchApi({ headers, query }: Incoming, service: AioStreams): Answer {
  const { uuid, password } = service.settings.user;
  const login = /^Basic (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  if (login === undefined) return UNAUTHORIZED;
  if (Buffer.from(login, 'base64').toString('utf8') !== `${uuid}:${password}`) return INVALID_USER;
  const wanted = { type: query.get('type') ?? '', id: query.get('id') ?? '' };
  const { entries, errors } = search(wanted, service);
  const results = entries.map((entry) => result(entry, service));
  return jsonAnswer(200, {
    success: true,
    detail: null,
    data: { filtered: 0, results, statistics: [], errors },
    error: null,
  });
}

const UNKNOWN = [
  ...['infoHash', 'rarUrls', '7zipUrls', 'zipUrls', 'tarUrls', 'tgzUrls', 'seeders', 'sources', 'ytId'],
  ...['externalUrl', 'message', 'duration', 'videoHash', 'servers', 'notWebReady', 'seadexBest', 'seadex'],
];

function result(entry: Entry, { settings: { indexerAt } }: AioStreams) {
  const { post, info, url, file, age } = entry;
  const { release } = post;
  return {
    ...Object.fromEntries(UNKNOWN.map((field) => [field, null])),
    url,
    nzbUrl: info.nzb,
    age,
    fileIdx: info.index,
    proxied: false,
    private: false,
    filename: file?.name ?? release.name,
    size: file?.size ?? release.size,
    folderName: file && release.name,
    folderSize: file && release.size,
    ...(file === undefined && { folderName: null, folderSize: null }),
    library: file !== undefined,
    addon: indexerAt.name,
    type: 'usenet',
    indexer: indexerAt.name,
    bitrate: bitrate(entry),
    service: 'aiostreams',
    cached: true,
    bingeGroup: bingeGroup(entry),
    subtitles: [],
    countryWhitelist: [],
    requestHeaders: {},
    responseHeaders: {},
    parsedFile: parsedFile(release, file?.name),
  };
}
