// What of an answer is compared as it is, and what, being a run's own, by its form.

/** Numbers of one run: sizes, times, counters. */
const NUMBERS = new Set([
  ...['bytes', 'completed', 'time', 'download_time', 'segments'],
  ...['total', 'month', 'week', 'day', 'bytesUsed', 'bytesPerDay'],
]);
/** Texts of one run: hosts and names of providers. */
const NAMES = new Set(['host', 'nickname', 'providerId']);
/** Objects whose keys are a run's own. */
const MAPS = new Set(['servers', 'daily', 'articles_tried', 'articles_success']);
const DECIMALS = new Set(['mb', 'mbleft']);

/** A JSON document in which everything that is a run's own is replaced by the name of its form. */
export function jsonForm(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => jsonForm(item, key));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]): [string, unknown] => [
      MAPS.has(key) ? '<its own>' : name,
      MAPS.has(key) && typeof each === 'number' ? '<number>' : jsonForm(each, name),
    ]);
    return Object.fromEntries(entries);
  }
  if (typeof value === 'number') return NUMBERS.has(key) ? '<number>' : value;
  return typeof value === 'string' ? textForm(value, key) : value;
}

function textForm(text: string, key: string): string {
  if (NAMES.has(key)) return '<name>';
  if (DECIMALS.has(key)) return text.replace(/^\d+\.\d\d$/, '<decimal>');
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<guid>')
    .replace(/^[0-9a-f]{32}$/, '<hex>')
    .replace(/(?<=message-id )\S+/, '<id>')
    .replace(/(?<=e\.g\. )\S+(?=\))/, '<file>')
    .replace(/(?<=provider |error from )"[^"]*"/, '<name>')
    .replace(/(?<=to proxy: )[^/]+/, '<host>');
}

/** A multistatus document as a list of responses, hosts left out; the order of the properties says nothing. */
export function xmlForm(text: string): readonly unknown[] {
  const root = /<D:multistatus[^>]*>/.exec(text)?.[0];
  // Apostrophes need no escape in a text; with or without one it is the same document.
  const responses = text.replaceAll('&apos;', "'").split('<D:response>').slice(1);
  return [root, ...responses.map(responseForm)];
}

function responseForm(text: string) {
  const href = /<D:href>([^<]*)/.exec(text)?.[1] ?? '';
  const inside = /<D:prop>(.*)<\/D:prop>/s.exec(text)?.[1] ?? '';
  const props = [...inside.matchAll(/<([DZ]:[\w-]+)(?: \/>|>(.*?)<\/\1>)/g)].map(
    ([, name = '', value = '']): [string, string] => [name, propForm(name, value, href)],
  );
  return {
    href: href.replace(/^https?:\/\/[^/]+/, ''),
    status: /<D:status>([^<]*)/.exec(text)?.[1],
    ...Object.fromEntries(props),
  };
}

/** Of the server's own texts, a length says nothing. */
function propForm(name: string, value: string, href: string): string {
  if (name === 'D:getcontentlength' && /(?:README|\.rclonelink)$/.test(href)) return '<number>';
  if (name !== 'D:getlastmodified' || /0001|1970/.test(value)) return value;
  return value.replace(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/, '<date>');
}

/** A listing of what depends on the run: what was asked, and which kinds of things are below it. */
export function listingForm(text: string): readonly unknown[] {
  const [root, self, ...below] = xmlForm(text);
  const kinds = below.map((each) =>
    Object.entries(each as Record<string, string>)
      .filter(([name]) => !['href', 'D:displayname', 'D:getlastmodified'].includes(name))
      .map((field) => field.join('='))
      .toSorted()
      .join(' '),
  );
  return [root, self, ...new Set(kinds)];
}

/** The headers that matter to a client: those that must be equal, and those that must be there. */
const EQUAL = [
  ...['content-type', 'content-range', 'accept-ranges', 'www-authenticate', 'location', 'connection'],
  ...['allow', 'public', 'dav', 'ms-author-via', 'content-disposition', 'keep-alive'],
];
const PRESENT = ['last-modified', 'set-cookie', 'content-length', 'transfer-encoding'];

/** @param tellsConnection Whether the recording keeps the headers of the connection. */
export function headerForm(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  { tellsConnection, exactLength }: { readonly tellsConnection: boolean; readonly exactLength: boolean },
): Record<string, unknown> {
  const equal = EQUAL.filter((name) => tellsConnection || !['connection', 'keep-alive'].includes(name));
  const told = (name: string) => headers[name] !== undefined;
  return {
    ...Object.fromEntries(equal.filter(told).map((name) => [name, headers[name]])),
    ...Object.fromEntries(PRESENT.filter(told).map((name) => [name, 'told'])),
    ...(exactLength && told('content-length') ? { 'content-length': headers['content-length'] } : {}),
  };
}
