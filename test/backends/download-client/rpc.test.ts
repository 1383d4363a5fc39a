import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type NzbgetApi, nzbgetApi } from '../../../src/backends/download-client/rpc.ts';
import { Refused } from '../../../src/backends/refusals.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { serve } from '../../support/http-server.ts';
import { QUICK } from './lab.ts';

const { signal } = new AbortController();
const headers = { authorization: 'Basic bmV1OmdpZXI=' };
const NZB = {
  bytes: Buffer.from('<nzb/>'),
  name: 'Sintel',
  category: 'Movies',
  priority: 100,
  dupeKey: 'key',
  dupeScore: 7,
  dupeMode: 'SCORE' as const,
};

/** An API whose server answers everything with this. */
async function answering(body: unknown, status = 200): Promise<{ api: NzbgetApi; asked: string[] }> {
  const asked: string[] = [];
  const url = await serve((req, res) => {
    bodyOf(req).then(
      (text) => {
        asked.push(`${req.method} ${req.url} ${req.headers.authorization} ${text}`);
        res.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
      },
      () => res.destroy(),
    );
  });
  return { api: nzbgetApi({ url: `${url}/jsonrpc`, headers }, 'NZBGet', QUICK), asked };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = '';
  req.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(req, 'end');
  return text;
}

const result = (value: unknown) => ({ version: '1.1', id: 1, result: value });
const error = (code: number, message = 'words') => ({ version: '1.1', id: 1, error: { code, message } });
const failureOf = async (call: Promise<unknown>): Promise<SlipstreamError> =>
  (await call.catch((cause: unknown) => cause)) as SlipstreamError;

describe('a call', () => {
  it('is a POST with its method first, its parameters by position, and the login at once', async () => {
    const { api, asked } = await answering(result(12));
    expect(await api.append(NZB, signal)).toBe(12);
    expect(asked).toEqual([
      'POST /jsonrpc Basic bmV1OmdpZXI= {"method":"append","params":["Sintel.nzb","PG56Yi8+","Movies",100,true,false,' +
        '"key",7,"SCORE",["*Unpack:","yes"]],"id":1}',
    ]);
  });

  it('names the password of an archive beside the NZB', async () => {
    const { api, asked } = await answering(result(12));
    await api.append({ ...NZB, password: 'laundry' }, signal);
    expect(asked[0]).toContain('["*Unpack:","yes","*Unpack:Password","laundry"]],"id":1}');
  });

  it('sends an NZB that is a part of a larger memory whole and alone', async () => {
    const { api, asked } = await answering(result(1));
    await api.append({ ...NZB, bytes: Buffer.from('xx<nzb/>xx').subarray(2, 8) }, signal);
    expect(asked[0]).toContain('"PG56Yi8+"');
  });

  it.each([[0], [-1], [false]])('takes %s in place of an id for a refusal', async (id) => {
    const { api } = await answering(result(id));
    const failure = await failureOf(api.append(NZB, signal));
    expect(failure).toBeInstanceOf(Refused);
    expect(failure.transient).toBe(false);
  });

  it.each([
    ['an unknown method', error(1), 200, 'SERVICE_ERROR', /Update/],
    ['an operation that failed', error(3), 200, 'SERVICE_ERROR', /log/],
    ['an account that may only add', error(401), 200, 'AUTH_FAILED', /ControlUsername/],
    ['a wrong password', '', 401, 'AUTH_FAILED', /ControlPassword/],
    ['a proxy without NZBGet', '<html>', 502, 'SERVICE_ERROR', /log/],
    ['another server', '<html>', 200, 'BAD_ANSWER', /address/],
    ['no such page', '', 404, 'BAD_ANSWER', /address/],
    ['nothing', '', 200, 'BAD_ANSWER', /address/],
    ['no result', {}, 200, 'BAD_ANSWER', /address/],
    ['another shape', result({ a: 1 }), 200, 'BAD_ANSWER', /address/],
  ] as const)('tells %s', async (_what, body, status, code, next) => {
    const { api } = await answering(body, status);
    for (const call of [api.groups(signal), api.history(signal), api.edit('GroupFinalDelete', [1], signal)]) {
      const failure = await failureOf(call);
      expect(failure.code).toBe(code);
      expect(failure.explanation.next).toMatch(next);
    }
  });

  it('shows the words of a refusal, without what may be secret in them', async () => {
    const { api } = await answering(error(3, 'no <b>room</b> at http://nas/canary'));
    expect((await failureOf(api.groups(signal))).explanation.what).toBe(
      'NZBGet refused the request ("no room at (address)").',
    );
  });

  it('reads no more than an answer can be long', async () => {
    const { api } = await answering(result('9'.repeat(100_000)));
    expect((await failureOf(api.version(signal))).code).toBe('TOO_LARGE');
  });
});

describe('a listing', () => {
  const group = {
    NZBID: 3,
    NZBName: 'Sintel',
    NZBFilename: 'Sintel.2010.nzb',
    Category: 'Movies',
    Status: 'DOWNLOADING',
    FileSizeHi: 1,
    FileSizeLo: 5,
    RemainingSizeHi: 0,
    RemainingSizeLo: 4_294_967_295,
    PausedSizeHi: 0,
    PausedSizeLo: 5,
    Health: 990,
    CriticalHealth: 950,
    DupeMode: 'SCORE',
  };

  it('joins the halves of sizes above 4 GB, and leaves out what is paused', async () => {
    const { api } = await answering(result([group]));
    expect(await api.groups(signal)).toEqual([
      {
        id: 3,
        names: ['Sintel', 'Sintel.2010'],
        category: 'Movies',
        status: 'DOWNLOADING',
        wanted: 2 ** 32,
        left: 2 ** 32 - 6,
        stageProgress: 0,
        health: 990,
        criticalHealth: 950,
        dupeMode: 'SCORE',
      },
    ]);
  });

  it('takes a low half that is printed as signed', async () => {
    const { api } = await answering(result([{ ...group, FileSizeHi: 0, FileSizeLo: -1, PausedSizeLo: 0 }]));
    expect((await api.groups(signal))[0]?.wanted).toBe(2 ** 32 - 1);
  });

  it('is not hidden by jobs that make no sense, nor by what is no NZB', async () => {
    const odd = [null, 7, { NZBID: 'x' }, { ...group, NZBID: 0 }, { ...group, NZBID: 2 ** 40 }];
    const { api } = await answering(result([...odd, group]));
    expect(await api.groups(signal)).toHaveLength(1);
    const past = {
      NZBID: 9,
      Name: 'Sintel',
      Status: 'SUCCESS/ALL',
      DestDir: '/d',
      FinalDir: '',
      HistoryTime: 5,
    };
    const history = await answering(
      result([{ ...past, Kind: 'URL' }, { ...past, Kind: 'DUP' }, ...odd, { ...past, Kind: 'NZB' }]),
    );
    expect(await history.api.history(signal)).toEqual([
      {
        id: 9,
        dupeKey: '',
        names: ['Sintel'],
        category: '',
        status: 'SUCCESS/ALL',
        folder: '/d',
        size: 0,
        finished: 5_000,
        hasPassword: false,
      },
    ]);
  });

  it('takes the folder that a script has moved the files to', async () => {
    const { api } = await answering(
      result([{ NZBID: 9, Kind: 'NZB', DestDir: '/d/Sintel', FinalDir: '/films/Sintel' }]),
    );
    expect((await api.history(signal))[0]?.folder).toBe('/films/Sintel');
  });
});
