import { expect, onTestFinished, test } from 'vitest';
import { ALTMOUNT, type Dialect, INFINIDYSK, startSandbox } from '../../../sandbox/index.ts';
import { SERVICES, serviceById } from '../../../src/connections/services/index.ts';
import type { SettingId } from '../../../src/settings/index.ts';
import { type ServiceLab, startLab, WRONG } from '../../connections/labs.ts';
import { closedPort } from '../../support/http-server.ts';
import { phoneStage, type Stage } from './stage.ts';

type Values = Readonly<Record<string, string>>;

/** A service with what is right for it, and what goes wrong in it, one after the other, beside single values. */
interface Lab {
  readonly id: ServiceLab['id'];
  readonly right: Values;
  readonly others: readonly (() => Values)[];
}

const lab = async (id: ServiceLab['id']): Promise<Lab> => {
  const { settings: right, wrongKey, expire } = await startLab(id);
  return { id, right, others: [() => wrongKey, expire] };
};
const dialect = async (spoken: Dialect): Promise<Lab> => {
  const sandbox = await startSandbox({ dialect: spoken });
  onTestFinished(() => sandbox.close());
  return { id: 'webdav', right: sandbox.settings, others: [] };
};

const LABS: readonly (readonly [string, () => Promise<Lab>])[] = [
  ...SERVICES.flatMap(({ id, name }) => (id === 'tmdb' ? [] : [[name, () => lab(id)] as const])),
  ['AltMount by its API', () => dialect(ALTMOUNT)],
  ['InfiniDysk', () => dialect(INFINIDYSK)],
];

/** What is wrong in a field: it is empty, or something else, or the address is somewhere else. */
function wrongIn(setting: SettingId, right: string, nowhere: string): readonly string[] {
  if (!setting.endsWith('_url')) return ['', WRONG, '/nonesuch', 'x'];
  return ['', nowhere, right.replace('http:', 'https:'), `${right}/elsewhere`, 'x'];
}

/** The kinds of the list that the services of the same name are as well. */
const KINDS = ['newznab', 'hydra', 'prowlarr', 'stremio'];

/** All that the page is told of a test. */
async function toldBy(stage: Stage, path: string, body: object): Promise<string[]> {
  const told = (await stage.send(path, body)).json();
  type Told = { what: string; next?: string; unproven?: string; failure?: Told };
  return ((told['checks'] ?? [told]) as Told[]).flatMap(({ what, next = '', unproven = '', failure }) => [
    `${what} ${next} ${unproven}`,
    failure === undefined ? '' : `${failure.what} ${failure.next}`,
  ]);
}

/** Where a person is sent who stands at the field; the settings of another program are elsewhere. */
const ELSEWHERE = /settings of Slipstream|those of Slipstream|in the settings(?! of [A-Z])|in Slipstream/;

/** What could be anybody's, where several services are set up: they have names. */
const NAMELESS =
  /\bThe (?:API|WebDAV|service|server)\b(?! of (?!the )| key| address)|\b[Tt]he (?:WebDAV )?backend\b/;

test.each(LABS)(
  'no test of %s sends anybody away from the page, or leaves out a name, whatever is wrong',
  async (_, start) => {
    const [{ id, right, others }, nowhere] = await Promise.all([start(), closedPort()]);
    const stage = await phoneStage();
    await stage.pair();
    await stage.send('/api/settings');
    const wrong = serviceById(id).fields.flatMap(({ setting }) =>
      wrongIn(setting, right[setting] ?? '', nowhere).map((value) => () => ({ [setting]: value })),
    );
    const told: string[] = [];
    for (const values of [...wrong, ...others])
      told.push(...(await toldBy(stage, '/api/test', { service: id, values: { ...right, ...values() } })));
    if (KINDS.includes(id)) {
      const place = Object.keys(right).find((each) => each.endsWith('_url')) as SettingId;
      const entry = { kind: id, name: 'Example', enabled: true, apiKey: WRONG };
      for (const url of wrongIn(place, right[place] ?? '', nowhere))
        told.push(...(await toldBy(stage, '/api/sources/test', { ...entry, url })));
    }
    // Most of them are told as failed.
    expect(new Set(told).size).toBeGreaterThan(wrong.length / 2);
    for (const words of told) {
      expect(words).not.toMatch(ELSEWHERE);
      expect(words).not.toMatch(NAMELESS);
    }
  },
  60_000,
);
