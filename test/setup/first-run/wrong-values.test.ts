import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { ALTMOUNT, INFINIDYSK, type SandboxOptions, startSandbox } from '../../../sandbox/index.ts';
import { SERVICES, serviceById } from '../../../src/connections/services/index.ts';
import type { SettingId } from '../../../src/settings/index.ts';
import { settingRow } from '../../../src/setup/asking/stored-settings.ts';
import { type ServiceLab, startLab, WRONG } from '../../connections/labs.ts';
import { ENGINE_FILE } from '../../support/engine.ts';
import { closedPort } from '../../support/http-server.ts';
import { openPty } from '../../support/pty.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answers, shellPerson } from './shell-person.ts';

const labelOf = (id: SettingId) => settingRow(id).label;

type Lab = Pick<ServiceLab, 'settings'>;

/** What is wrong at first, by setting; the place is one where nobody listens. */
type Wrong = (place: string, right: Lab['settings']) => Readonly<Partial<Record<SettingId, string>>>;

interface Case {
  readonly service: ServiceLab['id'];
  /** Another product that is set up as this service. */
  readonly product?: { readonly name: string; readonly lab: () => Promise<Lab> };
  readonly wrong: Wrong;
  /** What a person is told to mend, in this order; of a login its password, be it that or the user. */
  readonly told: readonly SettingId[];
  /** What is said of it once all is right; absent: that it works. */
  readonly end?: string;
}

const CASES: readonly Case[] = [
  {
    service: 'newznab',
    wrong: (place) => ({ indexer_url: place, indexer_api_key: WRONG }),
    told: ['indexer_url', 'indexer_api_key'],
  },
  {
    service: 'hydra',
    wrong: (place) => ({ hydra_url: place, hydra_api_key: WRONG }),
    told: ['hydra_url', 'hydra_api_key'],
  },
  {
    service: 'prowlarr',
    wrong: (place) => ({ prowlarr_url: place, prowlarr_api_key: WRONG }),
    told: ['prowlarr_url', 'prowlarr_api_key'],
  },
  {
    service: 'stremio',
    wrong: (place) => ({ stremio_url: `${place}/manifest.json` }),
    told: ['stremio_url'],
  },
  {
    service: 'stremio',
    product: { name: 'AIOStreams', lab: aioStreamsLab },
    wrong: (_place, { stremio_url = '' }) => ({ stremio_url: misspelled(stremio_url) }),
    told: ['stremio_url'],
  },
  {
    service: 'webdav',
    wrong: (place) => ({
      webdav_api_url: place,
      webdav_api_key: WRONG,
      webdav_url: place,
      webdav_username: 'somebody',
      webdav_password: WRONG,
    }),
    // It takes every category.
    told: ['webdav_api_url', 'webdav_api_key', 'webdav_url', 'webdav_password'],
  },
  {
    service: 'webdav',
    // It checks categories.
    product: { name: 'AltMount by its API', lab: () => backendLab({ dialect: ALTMOUNT }) },
    wrong: (place) => ({
      webdav_api_url: place,
      webdav_api_key: WRONG,
      webdav_username: 'somebody',
      webdav_password: WRONG,
      webdav_movie_category: 'nonesuch',
      webdav_tv_category: 'nonesuch',
    }),
    told: [
      ...(['webdav_api_url', 'webdav_api_key', 'webdav_movie_category', 'webdav_tv_category'] as const),
      'webdav_password',
    ],
  },
  {
    service: 'webdav',
    // It tells its user to whoever has its key.
    product: { name: 'InfiniDysk', lab: () => backendLab({ dialect: INFINIDYSK, username: 'sita' }) },
    wrong: (place) => ({
      webdav_api_url: place,
      webdav_api_key: WRONG,
      webdav_username: 'rama',
      webdav_password: WRONG,
    }),
    told: ['webdav_api_url', 'webdav_api_key', 'webdav_password'],
  },
  {
    service: 'nzbget',
    wrong: (place) => ({
      nzbget_url: place,
      nzbget_username: 'somebody',
      nzbget_password: WRONG,
      nzbget_folder: '/nonesuch',
      nzbget_server_folder: '/nonesuch',
      nzbget_movie_category: 'nonesuch',
      nzbget_tv_category: 'nonesuch',
    }),
    told: [
      ...(['nzbget_url', 'nzbget_password', 'nzbget_movie_category', 'nzbget_tv_category'] as const),
      ...(['nzbget_folder', 'nzbget_server_folder'] as const),
    ],
    // It has finished nothing yet.
    end: 'answers, but not all is proven yet',
  },
  {
    service: 'altmount',
    // Its WebDAV is not needed, and not tried.
    wrong: (place) => ({ direct_url: place, direct_api_key: WRONG }),
    told: ['direct_url', 'direct_api_key'],
  },
  {
    service: 'streamnzb',
    wrong: (place) => ({ direct_url: place, direct_api_key: WRONG }),
    told: ['direct_url', 'direct_api_key'],
  },
];

async function backendLab(options: SandboxOptions): Promise<Lab> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function aioStreamsLab(): Promise<Lab> {
  const aiostreams = await startAioStreams({ limits: 'off' });
  onTestFinished(() => aiostreams.close());
  return { settings: { stremio_url: aiostreams.addon } };
}

/** An address in which one letter of what follows the host is another one. */
const misspelled = (url: string) => url.replace(/(\/stremio\/)./, '$16');

/** What stands there before: what the set-up does not ask for, and what searches where a service is to play. */
function storedBefore({ service: id }: Case, wrong: Readonly<Record<string, string>>) {
  const { fields, role } = serviceById(id);
  const unasked = fields.filter(
    ({ setting, isOptional }) =>
      !('secret' in settingRow(setting)) && (isOptional === true || settingRow(setting).default !== ''),
  );
  return {
    ...(role === 'play' && { indexer_url: 'http://127.0.0.1:1', indexer_api_key: 'not-asked-now' }),
    ...Object.fromEntries(
      unasked.flatMap(({ setting }) => (wrong[setting] === undefined ? [] : [[setting, wrong[setting]]])),
    ),
  };
}

/** What the screen says to mend; for an address that is known to be right, that one as well, which is one key then. */
function advice(screen: string, ids: readonly SettingId[]) {
  const text = screen.replace(/\s+/g, ' ');
  const known = /y: Use (\S+),/.exec(text)?.[1];
  const words = known === undefined ? text.split('Most likely: ')[1] : text;
  return { marked: ids.find((id) => words?.includes(labelOf(id))), known };
}

/** The fields that are in no case, and why. */
const EXCEPT: Readonly<Partial<Record<SettingId, string>>> = {
  indexer_name: 'no name is wrong',
  tmdb_api_key: 'only the list of services asks for it: see lists/wrong-in-shell.test.ts',
};

test('each field of each service that is asked for is wrong in one of the cases', () => {
  const left = SERVICES.flatMap(({ id, fields }) => {
    const tried = CASES.filter(({ service }) => service === id).flatMap(({ wrong }) =>
      Object.keys(wrong('http://nowhere.example', {})),
    );
    // What is not asked for here is wrong in lists/wrong-in-shell.test.ts.
    const asked = fields.filter(({ isNotAsked: isUnasked }) => isUnasked !== true);
    return asked.map(({ setting }) => setting).filter((setting) => !tried.includes(setting));
  });
  expect(left.sort()).toEqual(Object.keys(EXCEPT).sort());
});

const NAMED = CASES.map((each) => [each.product?.name ?? each.service, each] as const);

test.each(NAMED)(
  'what is wrong with %s is told and mended, one after the other',
  async (_, each) => {
    const lab = await (each.product?.lab() ?? startLab(each.service));
    const { name, role } = serviceById(each.service);
    const wrong = each.wrong(await closedPort(), lab.settings);
    const ids = Object.keys(wrong) as SettingId[];
    const folder = temporaryFolder();
    const file = join(folder, 'settings.json');
    const before = storedBefore(each, wrong);
    await writeFile(file, JSON.stringify(before), { mode: 0o600 });
    const paths = ['--settings', file, '--data', join(folder, 'data')];
    const shell = openPty([process.execPath, ENGINE_FILE, 'setup', ...paths]);
    const rowOf = (label: string) => (screen: string) =>
      new RegExp(`(\\d+)  ${label}\\b`).exec(screen)?.[1] ?? `no ${label}`;

    const told: SettingId[] = [];
    const mended = new Set<SettingId>();
    const used: Partial<Record<SettingId, string>> = {};
    const seen = new Set(Object.keys(before) as SettingId[]);
    const right = (id: SettingId) => lab.settings[id] ?? String(settingRow(id).default);
    const answers: Answers = [
      ['Set up Slipstream', rowOf('Go on where you left off')],
      [role === 'play' ? 'What gets a release ready' : 'What do you search with?', rowOf(name)],
      ['Which indexer?', rowOf('Another one')],
      [
        `${name} does not work yet`,
        (screen) => {
          const { marked, known } = advice(screen, ids);
          expect(marked, screen).toBeDefined();
          const part = marked!.replace(/_username$/, '_password') as SettingId;
          if (told.at(-1) !== part) told.push(part);
          if (known !== undefined) {
            expect(Object.values(lab.settings)).toContain(known);
            mended.add(marked!);
            used[marked!] = known;
          }
          // Where the password is right by now, it is the user.
          else if (mended.has(marked!)) return 'n';
          return 'y';
        },
      ],
      ['Try again', (screen) => rowOf(`Change ${labelOf(ids.find((id) => !mended.has(id))!)}`)(screen)],
      ...ids.flatMap((id): Answers => {
        const entered = () => {
          if (seen.has(id)) mended.add(id);
          seen.add(id);
          return mended.has(id) ? right(id) || '-' : wrong[id]!;
        };
        return [
          [`\n${labelOf(id)}: `, entered],
          [`\n${labelOf(id)} (Enter: `, entered],
        ];
      }),
    ];
    await shellPerson(shell).answerUntil(`${name} ${each.end ?? 'works.'}`, answers);
    expect(told).toEqual(each.told);
    expect(mended).toEqual(new Set(ids));
    const stored = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    for (const id of ids) expect(stored[id]).toBe(used[id] ?? right(id));
    expect(shell.text()).not.toMatch(/canary/);
  },
  60_000,
);
