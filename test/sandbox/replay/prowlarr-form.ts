// What of an answer of Prowlarr is compared as it is, and what, being a run's own, by its form.

/** Of the build, the machine or the moment. */
const OWN = new Set([
  ...['age', 'ageHours', 'ageMinutes', 'version', 'release', 'buildTime', 'isProduction', 'startupPath'],
  ...['appData', 'databaseVersion', 'runtimeVersion', 'startTime', 'userHash', 'added', 'traceId'],
]);
/** What its pages show of a field; no client reads it. */
const SHOWN = new Set([...['label', 'helpText', 'unit', 'advanced', 'selectOptions', 'privacy', 'isFloat']]);

/** @param key the lab's own key, which stands as {prowlarr-key} in the recordings */
export function bodyForm(text: string, key: string): unknown {
  const masked = maskedForm(text.trim(), key);
  const title = /<title>([^<]*)<\/title>/.exec(masked)?.[1];
  if (/^(?:<!DOCTYPE html|\(HTML page)/.test(masked)) return { title };
  if (masked.startsWith('<')) return masked.split('\n').map(xmlLineForm);
  return masked === '' ? '' : jsonForm(JSON.parse(masked));
}

/** The person's keys and the protected links are another run's. */
const maskedForm = (text: string, key: string): string =>
  text
    .replaceAll(key, '{prowlarr-key}')
    .replace(/(?<=link=)[\w-]{150,}/g, '{protected}')
    .replace(/(?<=&r=)[0-9a-f]{32}/g, '{indexer-key}');

const xmlLineForm = (line: string) =>
  line
    .trim()
    .replace(/(?<=<guid>)(?!http)[^<]*/, '<not an address>')
    // The answer that is the same for everybody tells the moment.
    .replace(/(?<=<pubDate>)Sun, 22 Nov 2026 [\d:]+/, '<now>');

function jsonForm(value: unknown, key = ''): unknown {
  if (OWN.has(key)) return `<${typeof value}>`;
  if (Array.isArray(value)) return value.map((each) => jsonForm(each)).toSorted(byRest);
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([name]) => !SHOWN.has(name));
    return Object.fromEntries(entries.map(([name, each]) => [name, jsonForm(each, name)]));
  }
  if (typeof value !== 'string') return value;
  if (key === 'guid') return value.startsWith('http') ? value : '<not an address>';
  const [first, ...stack] = value.split('\n');
  return stack.length === 0 ? value : `${first} <stack of ${Math.round(value.length / 1000)} kB>`;
}

/** The order of those who rest says nothing. */
const byRest = (one: unknown, other: unknown) => restOf(one) - restOf(other);
const restOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'disabledTill' in value
    ? Number((value as { indexerId?: number }).indexerId)
    : 0;

const EQUAL = ['content-type', 'cache-control', 'expires', 'pragma', 'location', 'www-authenticate'];
const PRESENT = ['content-length', 'transfer-encoding', 'x-application-version'];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers that matter to a client. A time to wait is compared in minutes. */
export function prowlarrHeaderForm(headers: Headers, key: string): Record<string, unknown> {
  const told = (name: string) => headers[name] !== undefined;
  const wait = headers['retry-after'];
  return {
    ...Object.fromEntries(EQUAL.filter(told).map((name) => [name, maskedForm(String(headers[name]), key)])),
    ...Object.fromEntries(PRESENT.filter(told).map((name) => [name, 'told'])),
    ...(headers['content-length'] === '0' && { 'content-length': '0' }),
    ...(wait !== undefined && { minutes: Math.ceil(Number(wait) / 60) }),
  };
}
