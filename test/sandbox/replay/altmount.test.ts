import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { CatalogueRelease, Video } from '../../../sandbox/index.ts';
import { type AltMountLab, type AltMountOptions, startAltMount } from './altmount-lab.ts';
import { type AltMountExchange, altMountRecording } from './altmount-transcript.ts';
import { post, video } from './lab.ts';
import { held, type NotGiven, type Stage } from './stage.ts';

/** A film of one file, under the job's own name, of that many bytes. */
const film = (name: string, ending: string, size: number, more: Partial<CatalogueRelease> = {}) =>
  post(name, { videos: [video(`${name}.${ending}`, size)], ...more });
const pack = (name: string, ...videos: Video[]) => post(name, { videos });
const failing = (number: number, more: Partial<CatalogueRelease>) =>
  film(`Fact.Fail${number}.2009-0000000e`, 'mkv', 20_000_000, more);

const SIZE = 47_409_057;
const LIFE = film('Fact.Life.2020-0000000a', 'mp4', SIZE);
const ONYX = film('Onyx.Lantern.2020.720p.WEB.H264-OAKA-562c6685', 'mp4', SIZE);
const VELVET = film('Velvet.Orchard.2021.720p.WEB.H264-OAKA-8b5080e1', 'mp4', 47_408_786);
const START = film('Lost.Start.2007.1080p.WEB.h264-OAKD-c2c6e415', 'mkv', 65_218_448, { lost: [0] });
const PIECE = film('Lost.Piece.2007.720p.WEB.h264-OAKD-3ef8ddb7', 'mp4', SIZE, { lost: [29] });
const MANY = film('Lost.Many.2007.1080p.WEB.h264-OAKD', 'mkv', 93_241_769, {
  lost: Array.from({ length: 30 }, (_, n) => 40 + n),
});
const ODD = film('Göttlicher.Fänger.2008.1080p.WEB.h264-OAKU-fb7365bf', 'mkv', 24_120_958);
const DIRECT = film('Fact.Direct.2020-0000000b', 'mp4', SIZE);
const GREY = pack(
  'Fact.Grey.S01-0000000c',
  ...[1, 2, 3].map((n) => video(`Grey.Tower.S01E0${n}.1080p.WEB.h264-OAKC.mkv`, 20_000_000)),
);
const SILENT = pack(
  'Fact.Silent.2009-0000000d',
  video('Silent.Ferry.2009.1080p.WEB.h264-OAKS.mkv', 24_116_197),
  video('silent.ferry.sample.mkv', 3_349_743),
);
const FAILURES = [
  failing(0, { archive: { kind: 'rar', password: 'nobody knows', hidesNames: 'enchp.part1.rar' } }),
  failing(1, { archive: { kind: '7z', password: 'nobody knows' } }),
  failing(2, { archive: { kind: 'rar', compressed: true }, videos: [video('enc.mkv', 20_000_000)] }),
  failing(3, { archive: { kind: 'rar', lacksVolume: 1 } }),
  failing(4, { lost: [-1] }),
  failing(5, { videos: [video('b6f1c2d49e0a4c7f8a35', 20_000_000)] }),
];
const MEADOW = film('Brass.Meadow.2018.1080p.BluRay.x264-OAKB', 'mkv', 20_000_000);
const CODED = film('Coded.Header.2011.1080p.WEB.h264-OAKE', 'mkv', 20_000_000, {
  archive: FAILURES[0]!.archive!,
});

const isPlayable = (lab: AltMountLab) =>
  vi.waitFor(
    () => {
      if (lab.sandbox.jobs()[0]?.state !== 'completed') throw new Error('it is not there yet');
    },
    { timeout: 10_000, interval: 20 },
  );

type AltMountStage = Stage<AltMountLab, AltMountOptions>;
const steps = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}/${n}`);
const filled =
  (...posts: readonly CatalogueRelease[]) =>
  async (lab: AltMountLab) => {
    for (const each of posts) await lab.submit(each);
  };

const STAGES: readonly AltMountStage[] = [
  {
    name: 'keys and modes of the API',
    steps: [
      ...['', '-no-key', '-wrong-key', '-key-in-header'].map((end) => `sab-version${end}`),
      ...['sab-status', 'sab-get-config', ...steps('sab-unknown-modes', 6)],
    ],
  },
  {
    name: 'refused submissions',
    options: { posts: [LIFE] },
    steps: ['by-get', 'category-other-case', 'name-without-nzb', 'no-file'].map(
      (end) => `sab-addfile-${end}`,
    ),
  },
  {
    name: 'a job',
    options: { posts: [LIFE], jobDuration: 1_000, clock: 1_000 },
    steps: [
      ...[0, 1, 2].map((n) => `sequence-sab-one-job/${n}`),
      isPlayable,
      ...[3, 4].map((n) => `sequence-sab-one-job/${n}`),
      () => sleep(1_000),
      ...[5, 6].map((n) => `sequence-sab-one-job/${n}`),
    ],
  },
  {
    name: 'several jobs of one name',
    options: { posts: [LIFE], jobDuration: 1_000, clock: 1_000 },
    steps: [
      (lab) => lab.submit(LIFE, LIFE.name),
      isPlayable,
      () => sleep(1_000),
      ...[0, 1, 2].map((n) => `sequence-sab-same-name/${n}`),
      isPlayable,
      () => sleep(1_000),
      'sequence-sab-same-name/3',
    ],
  },
  {
    name: 'a share without a job',
    steps: [
      ...['missing-folder', 'no-login', 'api-key-as-password', 'depth-7', 'no-slash'].map(
        (end) => `dav-propfind-${end}`,
      ),
      'dav-get-missing',
    ],
  },
  {
    name: 'a share with jobs',
    options: { posts: [LIFE, ONYX, VELVET, START, PIECE, ODD] },
    steps: [
      filled(LIFE, LIFE, ONYX, VELVET, START, PIECE, ODD),
      ...['dav-propfind-root', 'dav-propfind-job', 'dav-get-folder', 'dav-head', 'dav-get-first-bytes'],
      ...['dav-get-open-end', 'dav-get-past-the-end', 'dav-odd-name-propfind', 'dav-odd-name-get'],
      ...['dav-zeros-at-the-start', 'dav-zeros-in-the-middle'],
      ...[...steps('sequence-dav-end-beyond-the-file', 2), ...steps('sequence-dav-suffix-range', 2)],
    ],
  },
  {
    name: 'a file past its limits',
    options: { posts: [MANY] },
    steps: [
      filled(MANY),
      (lab) => lab.readAll(`/webdav/complete/Movies/${MANY.name}/${MANY.name}.mkv`),
      ...steps('sequence-dav-withdrawn', 7),
    ],
  },
  {
    name: 'direct streams',
    options: { posts: [DIRECT, GREY, SILENT, ...FAILURES] },
    steps: [
      ...['by-get', 'no-key', 'wrong-key', 'no-file', 'name-without-nzb'].map((end) => `direct-${end}`),
      ...['direct-good', 'direct-good-again', 'direct-pack-episode', 'direct-pack-episode-not-there'],
      ...['direct-pack-no-episode-named', ...steps('direct-sample', 2)],
      ...['rar-names-encrypted', '7z-encrypted', 'rar-compressed', 'volume-missing'].map(
        (end) => `direct-failed-${end}`,
      ),
      ...['last-article-lost', 'hashed-name', 'html'].map((end) => `direct-failed-${end}`),
      ...['head', 'range', 'past-the-end', 'wrong-key', 'missing', 'suffix'].map(
        (end) => `direct-bytes-${end}`,
      ),
    ],
  },
  {
    name: 'its add-on',
    options: { posts: [MEADOW, CODED] },
    steps: [
      ...[
        'stremio-manifest',
        'stremio-manifest-wrong-key',
        'stremio-list-other-id',
        'stremio-list-wrong-key',
      ],
      filled(MEADOW),
      ...['stremio-play-good', 'stremio-play-good-head', 'stremio-play-failed'],
    ],
  },
];

const NOT_GIVEN: NotGiven = {
  'dav-propfind-depth-infinity': 'only its beginning was kept, and it is the same as with Depth: 1',
  'rest-api-at-api': 'of its REST API the sandbox has what is asked without a login',
  'sequence-dav-restart': 'a server that is killed is played by shutting its port, at no certain byte',
  'sequence-sab-same-name/4': 'of three jobs of one name two files were there: why, is not known',
  'stremio-rows': 'what its list holds are the releases of the sandbox',
};

const exchanges: ReadonlyMap<string, AltMountExchange> = altMountRecording();
held({ server: 'altmount', exchanges, start: startAltMount }, STAGES, NOT_GIVEN);
