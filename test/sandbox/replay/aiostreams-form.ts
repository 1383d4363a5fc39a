// What of an answer of AIOStreams is compared as it is, and what, being a run's own, by its form.

const HEADERS = [
  ...['content-type', 'content-disposition', 'content-range', 'accept-ranges', 'cache-control', 'vary'],
  ...['ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining'],
];
const TIMES = ['retry-after', 'ratelimit-reset', 'last-modified'];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @param isExact the body is of a length that is the same in every run */
export function aioHeaders(headers: Headers, isExact: boolean): Record<string, unknown> {
  const told = (name: string) => headers[name] !== undefined;
  return {
    ...Object.fromEntries(HEADERS.filter(told).map((name) => [name, headers[name]])),
    ...Object.fromEntries(TIMES.filter(told).map((name) => [name, 'told'])),
    ...(told('etag') && { etag: etagForm(String(headers['etag'])) }),
    ...(told('location') && { location: addressForm(String(headers['location'])) }),
    ...(told('content-length') && { 'content-length': isExact ? headers['content-length'] : 'told' }),
  };
}

const etagForm = (etag: string) =>
  etag.replace(/^"u-[0-9a-f]{20}-/, '"u-<20 hex>-').replace(/^W\/"[0-9a-f]+-[\w+/]{27}"$/, '<weak>');

const SEALED = /^eyJpIjoi[\w-]+$/;

/** An address whose parts are a run's own, with what its JSON in clear says. */
function addressForm(address: string): unknown {
  const parts = address.replace(/^https?:\/\/[^/]+/, '').split('/');
  return parts.map((part) => {
    if (SEALED.test(part)) return '<sealed>';
    if (/^[0-9a-f]{64}$/.test(part)) return '<64 hex>';
    return part.startsWith('eyJ')
      ? infoForm(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Info)
      : part;
  });
}

interface Info {
  readonly hash: string;
  readonly releaseKey: string;
  readonly index: number;
}

const infoForm = ({ hash, releaseKey, index, ...info }: Info) => ({
  ...info,
  isHash: /^[0-9a-f]{32}$/.test(hash),
  releaseKey: keyForm(releaseKey),
  index: indexForm(index),
});

const keyForm = (key: string) => key.replace(/^wd1:[0-9a-f]{32}$/, 'wd1:<32 hex>');
const indexForm = (index: number) => (index < 0 ? 'none' : 'opened');

/** A document of AIOStreams, by what its fields mean. */
export function aioForm(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => aioForm(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, aioForm(each, name)]));
  if (key === 'fileIdx') return indexForm(Number(value));
  if (typeof value !== 'string') return value;
  if (key === 'releaseKey') return keyForm(value);
  if (key === 'description') return descriptionForm(value);
  return (key === 'url' || key === 'externalUrl') && value.includes('/playback/')
    ? addressForm(value)
    : value;
}

/** What the formatter adds for sound, picture and language, and statistics, is for people only. */
function descriptionForm(text: string): string {
  if (/^(?:📥|⏱️ Total|Fetch)/.test(text)) return 'times';
  return text
    .split('\n')
    .filter((line) => !/^[🎧📺🌎]/u.test(line))
    .join('\n');
}
