import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxNzbget, startNzbget as startSandbox } from '../../sandbox/nzbget/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { phoneStage } from '../setup/phone/stage.ts';
import { closedPort } from '../support/http-server.ts';
import { type Nzbget, startNzbget } from './usenet/nzbget.ts';

const root = await rootOrSkip('what the phone is told of a real NZBGet, and of the one of the sandbox');

/** What both of them are to the set-up. */
interface Server {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly addOnly: { readonly username: string; readonly password: string };
  /** Where its finished downloads lie for us, and for itself. */
  readonly folder: string;
  readonly serverFolder: string;
}

type Values = Readonly<Record<string, string>>;

const right = ({ url, username, password, folder, serverFolder }: Server): Values => ({
  nzbget_url: url,
  nzbget_username: username,
  nzbget_password: password,
  nzbget_folder: folder,
  nzbget_server_folder: serverFolder,
  nzbget_movie_category: 'Movies',
  nzbget_tv_category: 'Series',
});

/** Not the folder above: the real one's own folder is on this device, which proves more (usenet/download-client.test.ts). */
const CASES: Readonly<Record<string, (server: Server) => Values>> = {
  'nothing wrong': () => ({}),
  'an address with another path': ({ url }) => ({ nzbget_url: `${url}/elsewhere` }),
  'an address with https': ({ url }) => ({ nzbget_url: url.replace('http:', 'https:') }),
  'another user': () => ({ nzbget_username: 'somebody' }),
  'no user': () => ({ nzbget_username: '' }),
  'a wrong password': () => ({ nzbget_password: 'wrong' }),
  'no password': () => ({ nzbget_password: '' }),
  'the account that may only add': ({ addOnly }) => ({
    nzbget_username: addOnly.username,
    nzbget_password: addOnly.password,
  }),
  'no folder': () => ({ nzbget_folder: '' }),
  'a folder that is not there': ({ folder }) => ({ nzbget_folder: join(folder, 'none') }),
  'the folder as NZBGet says it is called': () => ({ nzbget_server_folder: '' }),
  'another name of the folder': () => ({ nzbget_server_folder: '/somewhere/else' }),
  'a name that is no full path': () => ({ nzbget_server_folder: 'x' }),
  'a category for films that it does not have': () => ({ nzbget_movie_category: 'films' }),
  'a category for episodes that it does not have': () => ({ nzbget_tv_category: 'episodes' }),
};

/** What is told, without what is a server's own: where it is, its version, its room, and its further categories. */
async function told(server: Server, wrong: Values): Promise<string> {
  const stage = await phoneStage();
  await stage.pair();
  const values = { ...right(server), ...wrong };
  const { text } = await stage.send('/api/test', { service: 'nzbget', values });
  expect(text).not.toContain('canary');
  const { checks = text } = JSON.parse(text) as { checks?: unknown };
  const { host } = new URL(server.url);
  // The longer name first: the one may lie in the other.
  const names = [
    [server.serverFolder, '{folder}'],
    [server.folder, '{folder}'],
    [host, '{host}'],
  ] as const;
  const plain = names.reduce(
    (words, [name, form]) => words.replaceAll(name, form),
    JSON.stringify(checks).replace(EXAMPLE, '{example}'),
  );
  return plain
    .replace(/NZBGet \d[\w.-]*/g, 'NZBGet {version}')
    .replace(/\d+ GB free/g, '{room}')
    .replace(/\{folder\}, \d+ entries/g, '{folder}, {entries}')
    .replace(/It has Movies, Series(?:, \w+)*:/g, 'It has {categories}:');
}

/** In words of ours; it may be what one of them calls its folder. */
const EXAMPLE = 'for example /downloads/completed';

describe.skipIf(!root)('the sandbox of NZBGet', () => {
  let real: Nzbget;
  let sandbox: SandboxNzbget;
  beforeAll(async () => {
    const nowhere = Number(new URL(await closedPort()).port);
    [real, sandbox] = await Promise.all([startNzbget(root!, nowhere), startSandbox()]);
  });
  afterAll(async () => {
    // Undefined when it did not start.
    await (real as Nzbget | undefined)?.end();
    await (sandbox as SandboxNzbget | undefined)?.close();
  });

  it.each(Object.entries(CASES))('leads the phone to say what a real one does: %s', async (_name, wrong) => {
    const servers: readonly Server[] = [
      { ...real, folder: real.downloads, serverFolder: real.downloads },
      sandbox,
    ];
    const [ofReal, ofSandbox] = await Promise.all(servers.map((server) => told(server, wrong(server))));
    expect(JSON.parse(ofSandbox!)).toEqual(JSON.parse(ofReal!));
  });
});
