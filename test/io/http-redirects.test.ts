import { describe, expect, test } from 'vitest';
import { USER_AGENT } from '../../src/io/http.ts';
import { get, rawServer, requestFailure, SECRET } from '../support/http-request.ts';
import { closedPort, serve } from '../support/http-server.ts';

describe('redirects', () => {
  const CREDENTIALS = {
    authorization: 'Basic passw0rd',
    'x-api-key': 'topsecret',
    cookie: 'a=topsecret',
    'x-other': 'topsecret',
  };
  const redirectTo = (location: string, status = 302) =>
    serve((_, response) => response.writeHead(status, { location }).end('moved'));
  /** Tells what arrived. */
  const mirror = () =>
    serve((request, response) => response.end(`${request.method} ${JSON.stringify(request.headers)}`));

  test.each([301, 302, 303, 307, 308])(
    '%d is followed; the answer tells where it came from',
    async (status) => {
      const target = await mirror();
      const answer = await get(await redirectTo(`${target}/there`, status));
      expect(answer).toMatchObject({ status: 200, url: `${target}/there` });
    },
  );

  test('to another origin drop every header of the request but what is asked for', async () => {
    const headers = { ...CREDENTIALS, Range: 'bytes=7-9', accept: 'video/*' };
    // By way of a third one.
    const text = (await get(await redirectTo(await redirectTo(await mirror())), { headers })).text();
    expect(text).not.toMatch(/topsecret|passw0rd|x-other|cookie|authorization/);
    expect(text).toContain(USER_AGENT);
    expect(text).toContain('"range":"bytes=7-9"');
    expect(text).toContain('"accept":"video/*"');
  });

  test('away and back again do not bring them back', async () => {
    let home = '';
    const away = await serve((_, response) => response.writeHead(302, { location: `${home}/back` }).end());
    home = await serve((request, response) => {
      if (request.url === '/back') response.end(JSON.stringify(request.headers));
      else response.writeHead(302, { location: away }).end();
    });
    expect((await get(home, { headers: CREDENTIALS })).text()).not.toMatch(/topsecret|passw0rd/);
  });

  test('inside of one origin keep them', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/there') response.end(request.headers['x-api-key']);
      else response.writeHead(302, { location: './there' }).end();
    });
    expect((await get(url, { headers: CREDENTIALS })).text()).toBe('topsecret');
  });

  test('with a user in them open the target, and only that', async () => {
    const target = await mirror();
    const answer = await get(await redirectTo(target.replace('//', '//bob:passw0rd@')), {
      headers: CREDENTIALS,
    });
    expect(answer.text()).toContain(`Basic ${Buffer.from('bob:passw0rd').toString('base64')}`);
    expect(answer.url).not.toContain('passw0rd');
  });

  test('to another origin are told before it is asked, and failures name who is asked then', async () => {
    const dead = await closedPort();
    const asked: string[] = [];
    const onMoved = (to: URL) => {
      asked.push(to.origin);
      return 'The other one';
    };
    const error = await requestFailure(
      get(await redirectTo(`${dead}/there`), { onCrossOriginRedirect: onMoved }),
    );
    expect(error.explanation.what).toContain('The other one cannot be reached');
    expect(asked).toEqual([dead]);
  });

  test('inside of one origin are not told', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/there') response.end('here');
      else response.writeHead(302, { location: './there' }).end();
    });
    const onMoved = () => {
      throw new Error('it is the same');
    };
    expect((await get(url, { onCrossOriginRedirect: onMoved })).text()).toBe('here');
  });

  test('in circles end', async () => {
    const url = await serve((request, response) => {
      response.writeHead(302, { location: request.url }).end();
    });
    expect((await requestFailure(get(url))).code).toBe('BAD_ANSWER');
  });

  test('are allowed as often as the caller says; 0 gives the redirect itself', async () => {
    const target = await mirror();
    const url = await redirectTo(target);
    expect((await get(url, { maxRedirects: 1 })).status).toBe(200);
    expect(await get(url, { maxRedirects: 0 })).toMatchObject({ status: 302, url: `${url}/api?${SECRET}` });
    expect((await requestFailure(get(await redirectTo(url), { maxRedirects: 1 }))).code).toBe('BAD_ANSWER');
  });

  test.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/x', 'http://[', 'http://'])(
    'to %s are not followed',
    async (location) => {
      expect((await requestFailure(get(await redirectTo(location)))).code).toBe('BAD_ANSWER');
    },
  );

  test('without a target are an answer like any other', async () => {
    const url = await serve((_, response) => response.writeHead(302).end('no target'));
    expect(await get(url)).toMatchObject({ status: 302 });
  });

  test('whose own body never ends are followed nevertheless', async () => {
    const target = await mirror();
    const url = await rawServer(
      `HTTP/1.1 302 F\r\nlocation: ${target}\r\ncontent-length: 9\r\n\r\n1`,
      'hang',
    );
    expect((await get(url)).status).toBe(200);
  });

  test.each([301, 302, 303, 307, 308])(
    '%d of a submission sends nothing on, and says where to',
    async (status) => {
      let arrived = 0;
      const target = await serve((_, response) => {
        arrived++;
        response.end();
      });
      const url = await redirectTo(`${target}/?${SECRET}`, status);
      for (const request of [
        { method: 'POST', body: 'nzb topsecret' },
        { method: 'POST' },
        { method: 'PROPFIND' },
      ]) {
        const error = await requestFailure(get(url, request));
        expect(error.code).toBe('BAD_ANSWER');
        expect(error.explanation.what).toContain(target);
      }
      expect(arrived).toBe(0);
    },
  );

  test('of a listing inside of one origin is followed with its headers', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/there/') response.end(`${request.method} ${String(request.headers['depth'])}`);
      else response.writeHead(301, { location: '/there/' }).end();
    });
    expect((await get(url, { method: 'PROPFIND', headers: { depth: '1' } })).text()).toBe('PROPFIND 1');
  });
});
