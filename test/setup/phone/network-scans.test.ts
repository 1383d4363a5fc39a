import http from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../sandbox/index.ts';
import { registerSecret } from '../../../src/log/index.ts';
import { MAX_CONNECTIONS } from '../../../src/setup/discovery/index.ts';
import { serve } from '../../support/http-server.ts';
import { phoneStage, type Stage } from './stage.ts';

const portOf = (url: string) => Number(new URL(url).port);

/** Looks around, and gives each line as it comes. */
async function* look({ authority }: Stage, token: string): AsyncGenerator<Record<string, unknown>> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = {
      origin: `http://${authority}`,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'content-length': 2,
    };
    const request = http.request(`http://${authority}/api/discover`, { method: 'POST', headers }, resolve);
    request.once('error', reject).end('{}');
  });
  let rest = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
  }
}

async function whole(stage: Stage, token: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  for await (const line of look(stage, token)) lines.push(line);
  return lines;
}

it('tells, once it is stopped, what was held back until another port had answered', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const front = new URL(sandbox.backend.apiUrl).origin;
  // Each further question to it takes as long as a question may.
  const slow = await serve(({ url }, response) => {
    if (url === '/') response.writeHead(404).end();
  });
  const hydra = await serve((_request, response) => response.end('<title>NZBHydra2</title>'));
  // All but one of those that look wait for the slow one. That one finds the front end, and only then NZBHydra2.
  const ports = [...Array<string>(MAX_CONNECTIONS - 1).fill(slow), front, hydra].map(portOf);
  const stage = await phoneStage({ phone: { scanTargets: { hosts: ['127.0.0.1'], ports } } });
  const { token } = (await stage.pair()).json() as { token: string };
  const lines: Record<string, unknown>[] = [];
  for await (const line of look(stage, token)) {
    lines.push(line);
    if (line['label'] === 'NZBHydra2') await stage.send('/api/discover/stop', {});
  }
  expect(lines).toMatchObject([{ url: hydra }, { label: 'nzbdav', url: front }, { end: 'stopped' }]);
});

it('says that it has looked everywhere', async () => {
  const stage = await phoneStage({ phone: { scanTargets: { hosts: [] } } });
  const { token } = (await stage.pair()).json() as { token: string };
  expect(await whole(stage, token)).toEqual([{ end: 'whole' }]);
});

it('tells an address as it is, whatever is a secret elsewhere: it is what is entered then', async () => {
  registerSecret('hydra');
  const url = await serve((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/hydra/login' }).end();
    else response.end('<title>NZBHydra2</title>');
  });
  const stage = await phoneStage({ phone: { scanTargets: { hosts: ['127.0.0.1'], ports: [portOf(url)] } } });
  const { token } = (await stage.pair()).json() as { token: string };
  const [found] = await whole(stage, token);
  expect(found).toMatchObject({ service: 'hydra', url: `${url}/hydra` });
});
