import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { NZBDAV } from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import { serve } from '../../support/http-server.ts';
import { post, type ReplayLab, video } from './lab.ts';
import { OUTCOMES } from './nzbdav-outcomes.ts';
import { heldTo, type NotGiven, type Stage } from './stage.ts';
import { recording } from './transcript.ts';

const provider = (state: ReplayLab['sandbox']['faults']['provider']) => (lab: ReplayLab) => {
  // Jobs get on when somebody asks: what was due is done before.
  lab.sandbox.queueLength();
  lab.sandbox.faults.provider = state;
};

/** What was handed over in place of an NZB. */
const ODD_NZBS: Record<string, string> = {
  'bad.nzb': 'this is not XML',
  'cut.nzb': '<?xml version="1.0" encoding="UTF-8"?><nzb>',
  'empty.nzb': '<?xml version="1.0"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"></nzb>',
  'html.nzb': '<html><body>Log in</body></html>',
  'zero.nzb': '',
};
const FILM = post('Lab.Plain.2019.1080p.WEB-DL.H264-LAB');
const nzb = (file: string) => ODD_NZBS[file] ?? nzbOf(FILM);

const SIZE = 40_871_792;
const SUBTITLES = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';
const plain = 'Lab.Sampler.2019.1080p.WEB-DL.H264-LAB';
const SAMPLER = post(plain, {
  texts: [{ path: `${plain}.en.srt`, text: SUBTITLES }],
  videos: [
    video(`${plain}.mkv`, SIZE),
    video('sample-lab.sampler.2019.1080p.WEB-DL.H264-LAB.mkv', 4_164_145),
  ],
});
const ODDITY = post('Lab.Oddity', {
  videos: [video("Läb Odd Ünïcode & 100% #1 [x] + {y} 'q' 2019 1080p.mkv", 20_419_188)],
});
const SCENE = post('Lab.Scene', {
  videos: [video('lab.scene.2019.1080p.web.h264-lab.mkv', SIZE)],
  texts: [{ path: 'lab.scene.en.srt', text: '1\n00:00:01,000 --> 00:00:02,000\nHi\n' }],
});
const NOMID = post('Lab.Nomid', {
  videos: [video('Lab.Nomid.2019.1080p.WEB-DL.H264-LAB.mkv', SIZE)],
  lost: [29],
});
const SEGMID = post('Lab.Segmid', {
  videos: [video('Lab.Plain.2019.1080p.WEB-DL.H264-LAB.mkv', 91_841_686)],
  segments: { lacks: [60] },
});
const NOFIRST = post('Lab.Nofirst', {
  videos: [video('Lab.Nofirst.2019.1080p.WEB-DL.H264-LAB.mkv', SIZE)],
  lost: [0],
});

/** Finished jobs under the names that they had. */
async function filled(lab: ReplayLab): Promise<void> {
  await lab.submit(SAMPLER, `${plain}-50c98d86.nzb`);
  await lab.submit(ODDITY, 'Lab.Öddity.&.Cö.2019.1080p.WEB-DL.H264-LAB-8cc6e3c2.nzb');
  await lab.submit(SCENE, 'Lab.Scene.2019.1080p.WEB-DL.H264-LAB-5acc01f6.nzb');
  await lab.submit(NOMID, 'Lab.Nomid.2019.1080p.WEB-DL.H264-LAB-1eda21b8.nzb');
  await lab.submit(SEGMID, 'Lab.Segmid.2019.1080p.WEB-DL.H264-LAB-fd83d5cf.nzb');
  await lab.submit(NOFIRST, 'Cap.Nofirst.nzb', 'labcap');
}

/** Fifteen finished jobs: as much as is known of them, and films in place of the others. */
async function history(lab: ReplayLab): Promise<void> {
  const { body } = recording('nzbdav').get('nzbdav/22-history-limit-1')!.answer;
  const kept = body.kind === 'text' ? [...body.text.matchAll(/\{"nzo_id"[^{}]*\}/g)] : [];
  const slots = kept.map(([slot]) => JSON.parse(slot) as { nzb_name: string; category: string });
  const shows = [
    'Lab.Show.S01.1080p.WEB-DL.H264-LAB-b239444d.nzb',
    'Lab.Other.S01.1080p.WEB-DL.H264-LAB-baeca494.nzb',
  ];
  const films = slots.filter(({ category }) => category === 'movies').slice(0, 3);
  for (const show of shows) await lab.submit(FILM, show, 'tv');
  for (let n = 0; n < 15 - shows.length - films.length; n++) await lab.submit(FILM, `Lab.Film.${n}.nzb`);
  for (const { nzb_name } of films.toReversed()) await lab.submit(FILM, nzb_name);
}

/** The one of the lab, which knows its key as it stands in the recordings. */
function labIndexer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  if (pathname !== '/api') response.writeHead(404).end();
  else if (searchParams.get('apikey') === '{INDEXER_KEY}')
    response
      .writeHead(200, { 'content-disposition': 'attachment; filename="Lab.Show.nzb"' })
      .end(nzbOf(FILM));
  else response.writeHead(200).end('<error code="100" description="Incorrect user credentials"/>');
}

const silentQueue = [
  '20-addfile-field-name',
  '20-addfile-nocat',
  '20-addfile-newcat',
  '20-addfile-password',
  '20-addfile-noext',
  '20-addfile-pathname',
  '20-addfile-nzb-empty',
  '20-addfile-nzb-html',
];
const modes = ['addlocalfile', 'auth', 'change_cat', 'get_files', 'nomode', 'nonsense', 'pause', 'resume'];
const more = ['retry', 'server_stats', 'switch', 'version-output-xml', 'warnings'];
const deletions = ['value-failed', 'value-not-a-guid', 'value-unknownguid'];

const STAGES: readonly Stage[] = [
  {
    name: 'as it was installed',
    options: { nzb },
    steps: [
      ...['get-root', 'propfind-noauth', 'propfind', 'queue-nokey', 'queue-wrongkey', 'version'].map(
        (name) => `00-fresh-${name}`,
      ),
      ...['01-fullstatus', '01-get_cats', '01-get_config-no-provider', '01-status'],
      ...[...modes, ...more].map((mode) => `22-${mode}`),
      ...['badpp', 'badpriority', 'get', 'nofile', 'nzb-bad', 'nzb-cut', 'nzb-zero'].map(
        (name) => `20-addfile-${name}`,
      ),
      ...['21-queue-badlimit', '22-queue-name-delete', '22-queue-name-delete-value-all'],
      ...['22-queue-name-delete-value-not-a-guid', '22-queue-name-delete-value-unknownguid'],
      ...deletions.map((name) => `22-history-name-delete-${name}`),
      ...['22-history-nzo_ids-not-a-guid', '22-history-nzo_ids-unknownguid'],
      ...['22-history-delete-unknown-delfiles', '23-queue-delete-one'],
    ],
  },
  {
    name: 'without a provider',
    options: { nzb },
    steps: [
      provider('none'),
      ...[
        '02-addfile-no-provider',
        '02-queue-no-provider',
        '02-queue-no-provider/1',
        '02-history-no-provider',
      ],
      provider(undefined),
      '02-addfile-movie',
    ],
  },
  {
    name: 'with a queue, the provider being silent',
    options: { nzb },
    steps: [
      provider('silent'),
      ...silentQueue,
      ...['20-addfile-samename', '21-queue-all-stalled', '21-queue-cat', '21-queue-category'],
      ...['21-queue-limit0', '21-queue-limit1', '21-queue-start1-limit2'],
      ...['22-queue-name-pause', '22-queue-name-purge', '23-queue-delete-several'],
    ],
  },
  {
    name: 'with the first of a queue held for its provider',
    options: { nzb },
    steps: [
      provider('away'),
      async (lab) => {
        const { backend } = lab.sandbox;
        const body = new FormData();
        body.append('nzbfile', new Blob([nzbOf(FILM)]), 'Field.Name.nzb');
        const url = `${backend.apiUrl}/api?mode=addfile&cat=tv&priority=2`;
        await fetch(url, { method: 'POST', headers: { 'x-api-key': backend.apiKey }, body });
        lab.sandbox.queueLength();
      },
      provider('silent'),
      async (lab) => {
        await lab.submit(FILM, 'No.Cat.nzb', 'uncategorized');
        await lab.submit(FILM, 'New.Cat.nzb', 'brandnew');
        for (const file of ['With.Pass{{geheim}}.nzb', 'Without.Extension', 'a/b:c.nzb'])
          await lab.submit(FILM, file, 'tv');
        await lab.submit({ ...FILM, videos: [] }, 'empty.nzb', 'tv');
        await lab.submit({ ...FILM, videos: [] }, 'html.nzb', 'tv');
      },
      '21-queue-later',
    ],
  },
  {
    name: 'with finished jobs in the share',
    options: {
      dialect: { ...NZBDAV, providerSilence: 20 },
      posts: [SAMPLER, ODDITY, SCENE, NOMID, SEGMID, NOFIRST],
    },
    steps: [
      filled,
      ...['options', 'options-content'].map((name) => `10-${name}`),
      ...['badDepth', 'content-depth1', 'file-depth0', 'job-depth1', 'job-nodepth', 'job-noslash'].map(
        (name) => `10-propfind-${name}`,
      ),
      ...['lowercase-basic', 'missing', 'noauth', 'nzbs', 'odd-names', 'root-depth0', 'root-depth1'].map(
        (name) => `10-propfind-${name}`,
      ),
      ...['scene', 'symlinks', 'wrongpass'].map((name) => `10-propfind-${name}`),
      ...['delete-readonly', 'get-case', 'get-collection', 'get-doubleslash', 'get-ifmodified'].map(
        (name) => `11-${name}`,
      ),
      ...['ifrange-date', 'ifrange-etag', 'missing', 'noauth', 'srt', 'trailing-slash'].map(
        (name) => `11-get-${name}`,
      ),
      ...['0-99', 'all', 'end-clamped', 'exact-all', 'malformed', 'mid', 'multi', 'otherunit'].map(
        (name) => `11-get-range-${name}`,
      ),
      ...['past-end', 'reversed', 'suffix', 'tail-open'].map((name) => `11-get-range-${name}`),
      ...['11-head', '11-head-range', '11-put', '12-get-provider-tripped'],
      ...['first-article-missing', 'hole-behind', 'hole-head', 'hole-read-into', 'hole-start-in'].map(
        (name) => `40-${name}`,
      ),
      ...['across', 'behind', 'inside', 'whole'].map((name) => `41-nzb-gap-${name}`),
      provider('away'),
      ...['31-get-provider-down', '31-head-provider-down'],
      provider(undefined),
      ...['31-get-after-down', '31-get-after-down2'],
      provider('silent'),
      '32-get-provider-stalled',
      provider(undefined),
      '32-get-after-stall',
      provider('refuses-login'),
      '33-get-provider-badlogin',
    ],
  },
  {
    name: 'with a history',
    options: { posts: [FILM] },
    steps: [
      history,
      ...['cat-tv', 'category-tv', 'limit-1', 'pageSize-1', 'start-1-limit-1-pageSize-1'].map(
        (name) => `22-history-${name}`,
      ),
    ],
  },
  {
    name: 'beside an indexer that it reaches by an address of its own',
    steps: [
      async (lab) => {
        lab.sandbox.hosts.set('127.0.0.1:5076', await serve(labIndexer));
      },
      ...['good', 'wrong-indexer-key', '404', 'refused', 'nonzbname', 'noname'].map(
        (name) => `26-addurl-${name}`,
      ),
      ({ sandbox }) => {
        const names = sandbox.jobs().map(({ name }) => name);
        expect(names.toSorted()).toEqual(['Lab.Show', 'Via.Url', 'Via.Url2']);
      },
    ],
  },
  {
    name: 'with a job of every outcome',
    options: { posts: OUTCOMES.map(({ release }) => release), nzb: () => nzbOf(OUTCOMES.at(-1)!.release) },
    steps: [
      async (lab) => {
        for (const { file, release, id } of OUTCOMES)
          lab.knows(id, await lab.submit(release, file, 'labcap'));
      },
      '24-addfile-duplicate-after-completion',
      async (lab) => {
        lab.sandbox.faults.duplicates = 'failed';
        await lab.submit(OUTCOMES.at(-1)!.release, 'Cap.Dup.nzb', 'labcap');
      },
      ...['25-history-outcomes', '23-history-delete-one-with-files'],
    ],
  },
  {
    name: 'with its front end alone',
    steps: [
      (lab) => {
        lab.sandbox.faults.gateway = 'alone';
      },
      ...['30-bedown-api', '30-bedown-get', '30-bedown-propfind'],
    ],
  },
  {
    name: 'with a provider that comes and goes',
    options: { nzb, posts: [FILM], hold: 1 },
    steps: [
      async (lab) => {
        for (let n = 0; n < 24; n++) await lab.submit(FILM, `Cap.${n}.nzb`, 'labcap');
      },
      provider('away'),
      ...['31-addfile-provider-down', '31-queue-provider-down'],
      provider(undefined),
      async (lab) => {
        while (lab.sandbox.queueLength() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      },
      provider('refuses-login'),
      ...['33-addfile-provider-badlogin', '33-queue-provider-badlogin', '33-history-provider-badlogin'],
    ],
  },
];

const NOT_GIVEN: NotGiven = {
  '10-propfind-ids': 'Slipstream goes by /content; the tree of ids is empty in the sandbox.',
  '13-': 'As 10-propfind-ids.',
  '14-view': 'It opens by a key of its own that the API key does not give; Slipstream never asks it.',
  '40-hole-read-into-8080':
    'The sandbox has the front end only; the backend behind it differs in keeping the connection.',
};

heldTo('nzbdav', STAGES, NOT_GIVEN);
