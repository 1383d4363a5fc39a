import { expect, it } from 'vitest';
import { redact } from '../../../../src/log/index.ts';
import {
  registerInnerSecrets,
  registerLinkSecrets,
} from '../../../../src/search/sources/common/link-secrets.ts';

const inner = 'http://indexer.example/get?id=12&apikey=inner-key-90ab41';

it.each([
  ['of an indexer', 'https://i.example/api?t=get&id=7&apikey=plain-key-11fe20', ['plain-key-11fe20']],
  ['with a login', 'https://user:pass-word-31c9@i.example/get/7', ['pass-word-31c9']],
  [
    'with another one in it, as AltMount’s',
    `http://a.example/play?title=x&url=${encodeURIComponent(inner)}`,
    ['inner-key-90ab41'],
  ],
])('the keys in a link are masked from then on: %s', (_case, link, secrets) => {
  registerLinkSecrets(new URL(link));
  for (const secret of secrets) expect(redact(`it is ${secret} there`)).toBe('it is *** there');
});

it('words and numbers in a link stay what they are', () => {
  registerLinkSecrets(new URL('https://i.example/get?auth=true&r=7&title=sintel-is-a-film'));
  expect(redact('true 7 sintel-is-a-film')).toBe('true 7 sintel-is-a-film');
});

it('of a link that plays only the keys of the links in it are kept in mind', () => {
  const nzb = 'http://indexer.example/get?id=13&apikey=inner-key-77be02';
  registerInnerSecrets(
    new URL(`http://a.example/play?token=of-this-row-5512&url=${encodeURIComponent(nzb)}`),
  );
  expect(redact('of-this-row-5512, inner-key-77be02')).toBe('of-this-row-5512, ***');
});
