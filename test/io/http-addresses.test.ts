import { describe, expect, test } from 'vitest';
import { fetchBounded, parseHttpUrl } from '../../src/io/http.ts';
import { asHttpError } from '../../src/io/http-error.ts';
import { UntrustedCertificate } from '../../src/io/untrusted-certificate.ts';
import { frontOf } from '../connections/front.ts';
import { get, rawServer, requestFailure, WHO } from '../support/http-request.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { trustTestAuthority } from '../support/test-authority.ts';

const never = new AbortController().signal;

describe('addresses', () => {
  const mirror = () => serve((request, response) => response.end(request.headers.authorization ?? 'none'));

  test.each([
    ['bob:passw0rd@', 'bob:passw0rd'],
    ['bob@', 'bob:'],
    ['b%20b:p%40ss%25@', 'b b:p@ss%'],
    ['bob:100%@', 'bob:100%'],
  ])('%s is sent as Basic credentials', async (user, pair) => {
    const answer = await get((await mirror()).replace('//', `//${user}`));
    expect(answer.text()).toBe(`Basic ${Buffer.from(pair).toString('base64')}`);
    expect(answer.url).not.toContain('@');
  });

  test('a header wins over the user in the address', async () => {
    const url = (await mirror()).replace('//', '//bob:passw0rd@');
    expect((await get(url, { headers: { Authorization: 'Bearer mine' } })).text()).toBe('Bearer mine');
  });

  test.each([
    '',
    'nothing',
    '192.168.1.10:3000',
    'localhost:3000',
    'file:///etc/passwd',
    'javascript:1',
    'http://',
    'http://a b/',
    'http://x:99999/',
    '\0',
  ])('%j is refused with words', async (text) => {
    const error = await requestFailure(fetchBounded({ url: text, who: WHO, signal: never }));
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      explanation: { what: 'The address of the indexer Example is not a web address.' },
    });
  });

  test('a name keeps its capital inside of a sentence', () => {
    expect(() => parseHttpUrl('x', 'NZBHydra2')).toThrow('The address of NZBHydra2 is not');
  });

  test('nothing listens: says so', async () => {
    const error = await requestFailure(get(await closedPort()));
    expect(error).toMatchObject({ code: 'UNREACHABLE', transient: true });
    expect(error.explanation.what).toBe('The indexer Example cannot be reached (nothing listens there).');
  });

  // Node's fetch refuses these (fetch standard, "bad port"), though anybody may let a server listen there.
  test.each([6667, 6000, 5060])('a port that other protocols are known for is asked: %d', async (port) => {
    expect((await requestFailure(get(`http://127.0.0.1:${port}`))).code).toBe('UNREACHABLE');
  });

  test.each(['two\nlines topsecret', 'topsecret €', 'topsecret\0'])(
    'a key that no header can hold: %j',
    async (key) => {
      const error = await requestFailure(get(await mirror(), { headers: { 'x-api-key': key } }));
      expect(error.code).toBe('INVALID_REQUEST');
      expect(error.explanation.what).toContain('cannot be sent');
    },
  );
});

describe('TLS', () => {
  const tlsServer = (certificate: 'cert' | 'expired' | 'loopback' | 'elsewhere' = 'cert') =>
    frontOf('http://127.0.0.1', { tls: true, certificate });

  test.each([
    ['cert', 'self-signed'],
    ['expired', 'expired'],
    ['elsewhere', 'for media.example and *.home.example'],
  ] as const)('a certificate is refused with words: %s', async (certificate, words) => {
    if (certificate === 'elsewhere') trustTestAuthority();
    const error = await requestFailure(get(await tlsServer(certificate)));
    expect(error).toMatchObject({ code: 'UNREACHABLE', transient: false });
    expect(error.explanation.what).toContain('cannot be reached (its certificate ');
    expect(error.explanation.what).toContain(words);
    // A filter or a captive portal may show it: neither plain HTTP nor its names are a way out.
    expect(error.explanation.next).toBe(
      'Check its address and the clock of this device, then test the connection.',
    );
  });

  // A certificate for each would take as many authorities; what Node throws is all that is looked at.
  test.each([
    ['INVALID_PURPOSE', 'its certificate is not trusted'],
    ['INVALID_CA', 'its certificate is not trusted'],
    ['PATH_LENGTH_EXCEEDED', 'its certificate is not trusted'],
    ['CERT_REVOKED', 'its certificate is not trusted'],
    ['UNSPECIFIED', 'its certificate is not trusted'],
    ['HOSTNAME_MISMATCH', 'its certificate is for another host name'],
  ])('what Node says of a certificate is told as that: %s', (code, words) => {
    const error = asHttpError(Object.assign(new Error('x'), { code }), WHO, new URL('https://nas'));
    expect(error).toBeInstanceOf(UntrustedCertificate);
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      explanation: { what: `The indexer Example cannot be reached (${words}).` },
    });
  });

  test('a server that wants a certificate of this device is not told as one with a wrong certificate', async () => {
    trustTestAuthority();
    const error = await requestFailure(
      get(await frontOf('http://127.0.0.1', { tls: 'mutual', certificate: 'loopback' })),
    );
    expect(error).not.toBeInstanceOf(UntrustedCertificate);
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      transient: false,
      explanation: {
        what: 'The indexer Example cannot be reached (it wants a certificate of this device).',
        next: 'Slipstream has none to show: enter an address that asks for none.',
      },
    });
  });

  test('https:// to a port without TLS says so', async () => {
    const error = await requestFailure(
      get((await rawServer('HTTP/1.1 400 Bad\r\n\r\n', 'close')).replace('http:', 'https:')),
    );
    expect(error.explanation.what).toContain('does not speak HTTPS');
  });

  test('http:// to a port with TLS is a failure with words', async () => {
    expect(['UNREACHABLE', 'BAD_ANSWER']).toContain(
      (await requestFailure(get((await tlsServer()).replace('https:', 'http:')))).code,
    );
  });
});
