import { describe, expect, test } from 'vitest';
import { serviceById } from '../../src/connections/services/index.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { serve } from '../support/http-server.ts';
import { trustTestAuthority } from '../support/test-authority.ts';
import { frontOf } from './front.ts';
import { CANARY, type ServiceLab, startLab, testContext } from './labs.ts';

/** Where each service's address stands, in the words of its messages. */
const PLACES: Readonly<Record<ServiceLab['id'], string>> = {
  newznab: 'its address',
  hydra: 'its address',
  prowlarr: 'its address',
  stremio: 'its address',
  webdav: 'the nzbdav address',
  nzbget: 'the NZBGet address',
  altmount: 'the streaming service address',
  streamnzb: 'the streaming service address',
};
const IDS = Object.keys(PLACES) as ServiceLab['id'][];
/** Those whose servers are somebody else's. */
const THEIRS: readonly string[] = ['newznab', 'stremio'];

/** An address with the path that the service's own one has. */
function at({ settings, address }: ServiceLab, server: string): string {
  const { pathname } = new URL(settings[address] ?? '');
  return `${server}${pathname.replace(/\/$/, '')}`;
}

/** What the test of a service ends with: at which check, of which setting, why, what to do. */
async function verdict(lab: ServiceLab, address: string) {
  const settings = parseSettings({ ...lab.settings, [lab.address]: address });
  const checks = await serviceById(lab.id).test(settings, await testContext());
  const { setting, failure } = checks.at(-1) ?? {};
  const { what = 'works', next = '' } = failure?.explanation ?? {};
  expect(`${what} ${next} ${failure?.message ?? ''}`).not.toMatch(CANARY);
  return { checks: checks.length, setting, what, next };
}

const hostOf = (url: string) => new URL(url).host;

const ANOTHER =
  'Give it a certificate that every device trusts, such as one of Let’s Encrypt; or switch HTTPS off there and enter its http:// address.';
const theirAnother = (place: string) =>
  `Check ${place}; if it is right, something on the way, such as a proxy or a filter, shows a certificate of its own.`;

/** What is looked for side by side may take its whole time on a busy machine. */
const SLOW = { timeout: 30_000 };

describe.each(IDS)('the certificate of %s', (id) => {
  const place = PLACES[id];
  const isTheirs = THEIRS.includes(id);

  test.each([
    ['cert', 'its certificate is self-signed', isTheirs ? theirAnother(place) : ANOTHER],
    [
      'expired',
      'its certificate has expired',
      isTheirs
        ? 'Check the clock of this device; if it is right, try again later.'
        : 'Renew it there; if it is new, set the clock of this device.',
    ],
    [
      'loopback',
      'its certificate comes from an issuer that this device does not know',
      isTheirs ? theirAnother(place) : ANOTHER,
    ],
  ] as const)(
    'is told as what it is, at the address that was entered: %s',
    SLOW,
    async (certificate, why, next) => {
      const lab = await startLab(id);
      const front = await frontOf(lab.url, { tls: true, certificate });
      expect(await verdict(lab, at(lab, front))).toEqual({
        checks: 1,
        setting: lab.address,
        what: `${hostOf(front)} speaks HTTPS, but ${why}.`,
        next,
      });
      expect(lab.requests).toEqual([]);
    },
  );

  test('is told also below a path that nobody serves', SLOW, async () => {
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { path: lab.usualPath, tls: true });
    const { what } = await verdict(lab, at(lab, `${front}/wrong`));
    expect(what).toBe(`${hostOf(front)} speaks HTTPS, but its certificate is self-signed.`);
  });

  test('tells for which host it is', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true, certificate: 'elsewhere' });
    expect(await verdict(lab, at(lab, front))).toMatchObject({
      setting: lab.address,
      what: `${hostOf(front)} speaks HTTPS, but its certificate is for media.example and *.home.example.`,
      next: isTheirs ? theirAnother(place) : 'Enter its address by the name that the certificate is for.',
    });
  });

  test('is none that is wrong, where it is trusted', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true, certificate: 'loopback' });
    expect((await verdict(lab, at(lab, front))).what).toBe('works');
  });
});

/** A server that sends whoever asks on to the same path at another one. */
const redirectTo = (target: string, keepsQuery = true) =>
  serve((request, response) => {
    const path = request.url ?? '/';
    response
      .writeHead(301, { location: target + (keepsQuery ? path : path.replace(/\?.*/, '')) })
      .end('<html>Moved</html>');
  });

/** Those whose key is in no query, so that a redirect to another origin loses it. */
const LOSE_KEY = IDS.filter((id) => !['newznab', 'hydra', 'stremio'].includes(id));

describe.each(LOSE_KEY)('a redirect before %s', (id) => {
  const place = PLACES[id];

  test('to HTTPS is told as the address that is wrong, and no key is blamed', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { path: '/base', tls: true, certificate: 'loopback' });
    const entered = await redirectTo(front);
    const told = await verdict(lab, at(lab, `${entered}/base`));
    expect(told).toMatchObject({
      setting: lab.address,
      what: `${hostOf(entered)} leads on to HTTPS.`,
      next: `Enter ${front}/base as ${place}.`,
    });
    expect((await verdict(lab, at(lab, `${front}/base`))).what).toBe('works');
  });

  test('to another server is told as that, and no key is blamed', SLOW, async () => {
    const lab = await startLab(id);
    const { setting, what, next } = await verdict(lab, at(lab, await redirectTo(lab.url)));
    expect([setting, next]).toEqual([lab.address, `Enter ${new URL(lab.url).origin} as ${place}.`]);
    expect(what).toMatch(/sends us on to another address \(http:\/\/127\.0\.0\.1:\d+\)\.$/);
  });

  test('to a certificate that is not trusted tells that', SLOW, async () => {
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true });
    const { setting, what } = await verdict(lab, at(lab, await redirectTo(front)));
    expect(setting).toBe(lab.address);
    // What is not sent twice is not sent on to it at all.
    if (id === 'prowlarr')
      expect(what).toContain(`leads on to ${front}, but its certificate is self-signed.`);
    else expect(what).toMatch(/leads on to/);
  });
});

describe.each(['newznab', 'hydra'] as const)('a redirect before %s', (id) => {
  test('works where it keeps the query', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true, certificate: 'loopback' });
    const { what } = await verdict(lab, await redirectTo(front));
    // NZBHydra2 is then asked as a whole: the list of its indexers is not asked for twice.
    if (id === 'hydra') expect(what).toContain('leads on to HTTPS');
    else expect(what).toBe('works');
  });

  test('blames no key that is refused behind it', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true, certificate: 'loopback' });
    const wrong = { ...lab, settings: { ...lab.settings, ...lab.wrongKey } };
    const entered = await redirectTo(front);
    const { what, next } = await verdict(wrong, entered);
    expect(what).toBe(`${hostOf(entered)} leads on to HTTPS.`);
    expect(next).toBe(`Enter ${front} as its address.`);
    expect((await verdict(wrong, front)).what).toMatch(/refused the API key\.$/);
  });

  test('that loses the query is told as the address that is wrong, and no key is blamed', SLOW, async () => {
    trustTestAuthority();
    const lab = await startLab(id);
    const front = await frontOf(lab.url, { tls: true, certificate: 'loopback' });
    const entered = await redirectTo(front, false);
    expect(await verdict(lab, entered)).toMatchObject({
      setting: lab.address,
      what: `${hostOf(entered)} leads on to HTTPS.`,
      next: `Enter ${front} as ${PLACES[id]}.`,
    });
  });
});
