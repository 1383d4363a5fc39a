import { type CatalogueRelease, INFINIDYSK } from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import { post, type ReplayLab, video } from './lab.ts';
import { heldTo, type NotGiven, type Stage } from './stage.ts';

const provider = (state: ReplayLab['sandbox']['faults']['provider']) => (lab: ReplayLab) => {
  // Jobs get on when somebody asks: what was due is done before.
  lab.sandbox.queueLength();
  lab.sandbox.faults.provider = state;
};

const SIZE = 115_278_085;
const FILM = post('Night.Train.2019.1080p', {
  videos: [video('Night.Train.2019.1080p.WEB-DL.DDP5.1.H.264-LAB.mkv', SIZE)],
});
const failing = (more: Partial<CatalogueRelease>) => post('Failing', { videos: FILM.videos, ...more });

/** What was handed over under which name; any other is the film. */
const POSTS: Record<string, CatalogueRelease> = {
  'Failing.plain-nofirst.nzb': failing({ lost: [0] }),
  'Failing.plain-nolast.nzb': failing({ lost: [-1] }),
  'Failing.rar-volhead.nzb': failing({ archive: { kind: 'rar' }, lost: [0] }),
  'Failing.rar-gone.nzb': failing({ archive: { kind: 'rar' }, health: 'dead' }),
};
const nzb = (file: string) =>
  file === 'Html.nzb' ? '<html><body>Log in</body></html>' : nzbOf(POSTS[file] ?? FILM);
const options = { dialect: INFINIDYSK, nzb, posts: [FILM, ...Object.values(POSTS)] };

const inRar = 'Night.Train.2019.1080p.BluRay.x264-LAB.mkv';
const RAR = post('Rar.Job', { archive: { kind: 'rar' }, videos: [video(inRar, SIZE)] });
const TAIL_GONE = post('Tail.Gone', { archive: { kind: 'rar' }, videos: [video(inRar, SIZE)], lost: [-1] });
const OBFUSCATED = post('Obfuscated', { videos: [video('Obfuscated.Plain.2019.1080p.mp4', 69_292_465)] });
const QUARTER_GONE = post('Quarter.Gone', {
  videos: [video('Night.Train.2019.1080p.WEB-DL.DDP5.1.H.264-LAB.mkv', SIZE)],
  lost: [40],
});
const PACK = post('Harbor.Lights.S01.720p', {
  videos: [31_036_079, 31_046_142, 30_872_268].map((size, n) =>
    video(`Harbor.Lights.S01E0${n + 1}.720p.WEB-DL.H.264-LAB.mkv`, size),
  ),
});

async function filled(lab: ReplayLab): Promise<void> {
  for (const [release, file] of [
    [RAR, 'Rar.Job.nzb'],
    [TAIL_GONE, 'Tail.Gone.nzb'],
    [OBFUSCATED, 'Obfuscated.Plain.2019.1080p.nzb'],
    [QUARTER_GONE, 'Quarter.Gone.nzb'],
    [PACK, 'Harbor.Lights.S01.720p.nzb'],
  ] as const)
    await lab.submit(release, file);
  await lab.submit(FILM, 'Other.nzb', 'New Films');
}

const api = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `sab-api/${from + n}`);

const STAGES: readonly Stage[] = [
  { name: 'with nothing in it', options, steps: [...api(0, 16), 'other/1', 'other/5', 'other/6', 'other/8'] },
  {
    name: 'from a queue that is paused to jobs that fail',
    options,
    steps: [
      ...api(18, 45),
      async (lab) => {
        lab.sandbox.faults.job = { kind: 'stuck', percent: 0 };
        await lab.submit(FILM, 'Waits.nzb');
        lab.sandbox.faults.queueLimit = 1;
      },
      'sab-api/47',
      async (lab) => {
        Object.assign(lab.sandbox.faults, { queueLimit: undefined, job: undefined });
        const { apiUrl, apiKey } = lab.sandbox.backend;
        const query = 'mode=queue&name=delete&value=all';
        await fetch(`${apiUrl}/api?${query}`, { headers: { 'x-api-key': apiKey } });
      },
      provider('away'),
      ...api(48, 52),
    ],
  },
  {
    name: 'with finished jobs in the share',
    options: { dialect: INFINIDYSK, posts: [FILM, RAR, TAIL_GONE, OBFUSCATED, QUARTER_GONE, PACK] },
    steps: [filled, ...Array.from({ length: 28 }, (_, n) => `webdav/${n}`)],
  },
  {
    name: 'without a provider',
    options,
    steps: [
      provider('none'),
      (lab) => lab.submit(FILM, 'NoProvider.nzb'),
      ...['provider-trouble/0', 'provider-trouble/1', 'provider-trouble/2'],
    ],
  },
  {
    name: 'with a provider that refuses the login',
    options,
    steps: [
      provider('refuses-login'),
      (lab) => lab.submit(FILM, 'BadPw.nzb'),
      ...['provider-trouble/3', 'provider-trouble/4', 'provider-trouble/5'],
    ],
  },
];

const NOT_GIVEN: NotGiven = {
  'sab-api/17': 'addurl: the server would fetch the NZB itself; Slipstream hands it over.',
  'sab-api/46':
    'Its settings are changed by the session of its pages; the sandbox has switches for what they do.',
  'other/0': 'Folders by a call of its own; Slipstream asks the WebDAV.',
  'other/2': 'Its watchdog, which Slipstream has no use for.',
  'other/3': 'Its health checks, which Slipstream has no use for.',
  'other/4': 'Its diagnosis, which Slipstream has no use for.',
  'other/7': 'Its metrics, which need a session of its pages.',
};

heldTo('infinidysk', STAGES, NOT_GIVEN);
