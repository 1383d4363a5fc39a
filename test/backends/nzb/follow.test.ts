import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fetchNzb } from '../../../src/backends/nzb/fetch.ts';
import { ManagerUnavailable } from '../../../src/backends/nzb/manager-unavailable.ts';
import { OutOfReach } from '../../../src/backends/nzb/out-of-reach.ts';
import type { IndexerManager } from '../../../src/model/index.ts';
import { link, release } from '../../release/candidates.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { answer, failure, HYDRA, PROWLARR, SECRET, TEXT, through } from './behind-managers.ts';

describe('an indexer behind the same reverse proxy as its manager', () => {
  test('is told by what it answers', async () => {
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/base/') === true) response.writeHead(301, { location: '/getnzb?r=1' });
      else response.writeHead(404, TEXT);
      response.end();
    });
    const error = await failure(through(PROWLARR, url));
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toBe('The indexer Good1 no longer has this release.');
  });

  test('is not the manager itself, that leads on below another base and refuses the key', async () => {
    const url = await serve((request, response) => {
      const isMoved = request.url?.startsWith('/new/') === true;
      response.writeHead(isMoved ? 401 : 307, { location: `/new${request.url}` }).end();
    });
    const error = await failure(through(PROWLARR, url));
    expect(error.explanation.what).toBe('Prowlarr refused the API key.');
  });
});

describe('an address that only the manager reaches', () => {
  const sendsOn = (manager: IndexerManager, location: string) =>
    serve(answer({ status: manager === PROWLARR ? 301 : 302, headers: { location } }));

  test.each([
    [PROWLARR, "Enter the indexer's address in Prowlarr so that other devices reach it, or try again later."],
    [HYDRA, 'Set the NZB access type in NZBHydra2 to "Proxy", or try again later.'],
  ])('is told with what to do at $who', async (manager, next) => {
    const dead = await closedPort();
    const url = await sendsOn(manager, `${dead}/getnzb/${SECRET}?r=${SECRET}`);
    const error = await failure(through(manager, url));
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error).toMatchObject({ code: 'UNREACHABLE', broken: false });
    expect(error.explanation).toEqual({
      what: `${manager.who} sends this device on to ${new URL(dead).host}, which it cannot reach.`,
      next,
    });
  });

  test('comes with the link that leads there, which no log shows', async () => {
    const preferred = through(PROWLARR, await sendsOn(PROWLARR, `${await closedPort()}/getnzb`));
    const error = await failure(preferred, link({ url: `${await closedPort()}/${SECRET}` }));
    expect(error).toBeInstanceOf(OutOfReach);
    expect(error).toMatchObject({ link: preferred });
    expect(inspect(error, { depth: 5, showHidden: true })).not.toContain(SECRET);
  });

  test('is told as out of date too when another link is', async () => {
    const preferred = through(PROWLARR, await sendsOn(PROWLARR, `${await closedPort()}/getnzb`));
    const body = '<error code="300" description="Invalid or outdated"/>';
    const said = { status: 200, headers: { 'content-type': 'application/xml' }, body };
    const error = await failure(preferred, through(HYDRA, await serve(answer(said))));
    expect(error).toBeInstanceOf(OutOfReach);
    expect(error).toMatchObject({ link: preferred, stale: true });
  });

  test('may be a name of the local network', async () => {
    const url = await sendsOn(PROWLARR, 'http://indexer.internal:9117/getnzb');
    const error = await failure(through(PROWLARR, url));
    expect(error.explanation.what).toBe(
      'Prowlarr sends this device on to indexer.internal:9117, which it cannot reach.',
    );
  });

  test('is none that is public: it is the indexer that cannot be reached', async () => {
    const url = await sendsOn(PROWLARR, 'http://indexer.invalid/getnzb');
    const error = await failure(through(PROWLARR, url));
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toMatch(/^The indexer Good1 cannot be reached \(/);
    expect(error.explanation.next).not.toContain('Prowlarr');
  });

  test('is told where the manager sends on to another service of its own host, by https', async () => {
    const secure = (await closedPort()).replace('http:', 'https:');
    const url = await sendsOn(PROWLARR, `${secure}/getnzb?r=${SECRET}`);
    const error = await failure(through(PROWLARR, url));
    expect(error).not.toBeInstanceOf(ManagerUnavailable);
    expect(error.explanation.what).toBe(
      `Prowlarr sends this device on to ${new URL(secure).host}, which it cannot reach.`,
    );
  });

  test('is not blamed where the indexer was reached and breaks off', async () => {
    const indexer = await serve((request) => request.socket.destroy());
    const error = await failure(through(PROWLARR, await sendsOn(PROWLARR, `${indexer}/getnzb`)));
    expect(error.explanation.what).toBe('The indexer Good1 cannot be reached (it broke off the connection).');
  });

  test('is not blamed where the indexer was reached and keeps silent', async () => {
    const indexer = await serve(() => undefined);
    const url = await sendsOn(PROWLARR, `${indexer}/getnzb`);
    const links = [through(PROWLARR, url)] as const;
    const options = { signal: new AbortController().signal, log: memoryLog(), timeout: 1_000 };
    await expect(fetchNzb(release({ links }), options)).rejects.toMatchObject({
      code: 'TIMEOUT',
      explanation: { what: 'The indexer Good1 did not answer within 1 second.' },
    });
  });
});

describe('an NZB at an address that AIOStreams has given', () => {
  const given = (url: string) => link({ url, indexer: 'Good1', givenBy: 'AIOStreams' });

  test('which only AIOStreams reaches, is told with what to do there', async () => {
    const dead = await closedPort();
    const error = await failure(given(`${dead}/getnzb/${SECRET}?r=${SECRET}`));
    expect(error).toMatchObject({ code: 'UNREACHABLE', broken: false, transient: true });
    expect(error.explanation).toEqual({
      what: `AIOStreams has the NZB at ${new URL(dead).host}, which this device cannot reach.`,
      next: "Enter the indexer's address in AIOStreams so that other devices reach it, or try another release.",
    });
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
  });

  test('that answers is the indexer’s own affair', async () => {
    const url = await serve((_request, response) => response.writeHead(404, TEXT).end());
    const error = await failure(given(`${url}/getnzb/1`));
    expect(error.explanation.what).toBe('The indexer Good1 no longer has this release.');
  });
});
