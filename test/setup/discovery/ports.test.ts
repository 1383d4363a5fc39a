import { describe, expect, it, onTestFinished } from 'vitest';
import { type Dialect, INFINIDYSK, NZBDAV, type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { serviceById } from '../../../src/connections/services/index.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { findServices } from '../../../src/setup/discovery/index.ts';
import { openMachine } from '../../../src/setup/discovery/machine.ts';
import { testContext } from '../../connections/labs.ts';
import { serve } from '../../support/http-server.ts';

const never = new AbortController().signal;
const portOf = (url: string) => Number(new URL(url).port);

async function backend(dialect: Dialect): Promise<Sandbox> {
  const sandbox = await startSandbox({ dialect });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const findAt = async (urls: readonly string[], hosts: readonly string[] = ['127.0.0.1']) =>
  (await findServices({ hosts, ports: urls.map(portOf), signal: never })).map(({ url }) => url);

describe('a service with two ports', () => {
  it.each([
    ['nzbdav', NZBDAV],
    ['InfiniDysk', INFINIDYSK],
  ])('is one row, at its own port: %s', async (_name, dialect) => {
    const sandbox = await backend(dialect);
    const own = await sandbox.openOwnPort();
    const front = new URL(sandbox.backend.apiUrl).origin;
    expect(await findAt([front, own])).toEqual([own]);
    expect(await findAt([own, front])).toEqual([own]);
  });

  it.each([
    ['nzbdav', NZBDAV],
    ['InfiniDysk', INFINIDYSK],
  ])('works at its own port, with the share there: %s', async (_name, dialect) => {
    const sandbox = await backend(dialect);
    const webdav_api_url = await sandbox.openOwnPort();
    const settings = parseSettings({ ...sandbox.settings, webdav_api_url, webdav_url: '' });
    const checks = await serviceById('webdav').test(settings, await testContext());
    expect(checks.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(checks.length).toBeGreaterThan(1);
  });

  it('is at its front end where its own port does not ask for the key', async () => {
    const sandbox = await backend(NZBDAV);
    const front = new URL(sandbox.backend.apiUrl).origin;
    const other = await serve((_request, response) => response.writeHead(401).end());
    expect(await findAt([front, other])).toEqual([front]);
  });

  it('is two rows where two of it run on a machine, or another one', async () => {
    const [first, second, other] = await Promise.all([NZBDAV, NZBDAV, INFINIDYSK].map(backend));
    const fronts = [first!, second!].map(({ backend: { apiUrl } }) => new URL(apiUrl).origin);
    expect((await findAt(fronts)).sort()).toEqual([...fronts].sort());
    const own = await other!.openOwnPort();
    expect((await findAt([fronts[0]!, own])).sort()).toEqual([fronts[0]!, own].sort());
  });

  it('is a row for each machine that it runs on', async () => {
    const front = new URL((await backend(NZBDAV)).backend.apiUrl).origin;
    const found = await findAt([front], ['127.0.0.1', 'localhost']);
    expect(found.sort()).toEqual([front, front.replace('127.0.0.1', 'localhost')].sort());
  });

  it('is not lost by who stops the search before its other port has answered', () => {
    const told: string[] = [];
    const { add: hear, end } = openMachine(2, ({ url }) => told.push(url));
    const found = { service: 'webdav', label: 'nzbdav', url: 'http://nas:3000' } as const;
    hear({ found, isFrontEnd: true });
    expect(told).toEqual([]);
    end();
    expect(told).toEqual(['http://nas:3000']);
  });
});
