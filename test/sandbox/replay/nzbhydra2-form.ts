// What of an answer of NZBHydra2 is compared as it is, and what, being a run's own, by its form.

const HEADERS = [
  ...['content-type', 'content-disposition', 'content-language', 'retry-after', 'location'],
  ...['x-xss-protection', 'cache-control', 'pragma', 'expires'],
];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers that matter to a client. @param length whether the body is of a length that says something */
export function hydraHeaders(headers: Headers, length: boolean): Record<string, unknown> {
  const told = (name: string) => headers[name] !== undefined;
  return {
    ...Object.fromEntries(HEADERS.filter(told).map((name) => [name, headers[name]])),
    ...(told('set-cookie') && { 'set-cookie': 'told' }),
    ...(length && { 'content-length': headers['content-length'] }),
  };
}

/**
 * A document in which everything that is a run's own is replaced by the name of its form: dates, hits, the author's
 * address, the segments of an NZB.
 *
 * @param recorded what was recorded, which may have been cut or left out
 */
export function hydraForm(text: string, recorded: string): unknown {
  if (recorded === '(an HTML page, left out)')
    return /^(?:<!doctype html|\(an HTML)/i.test(text) ? 'HTML' : text;
  if (/^[{[]/.test(recorded)) return numberless(JSON.parse(text));
  if (recorded.includes('<nzb ')) return nzbForm(text);
  const form = textForm(text);
  const cut = textForm(recorded).indexOf('{cut');
  if (cut === -1) return form;
  // Of a list that was cut, the rows that were kept.
  const rows = recorded.split('<item>').length;
  return rows > 1 ? form.split('<item>').slice(0, rows).map(endless) : form.slice(0, cut);
}

const endless = (item: string) => item.split('</item>')[0];

const textForm = (text: string) =>
  text
    .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<date>')
    .replace(/(?<=email=")[^"]*|(?<=<webMaster>)[^<]*/g, '<email>')
    .replace(/\s+/g, ' ')
    .replaceAll('> <', '>\n<')
    .trim();

/** Its posts, by their guids. */
function nzbForm(text: string): unknown {
  const guids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=@)/g);
  return { isNzb: /<nzb [^>]*>.*<segment .*<\/nzb>/s.test(text), posts: [...new Set(guids)] };
}

const COUNTS = ['apiHits', 'downloadHits', 'disabledUntil'];

function numberless(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => numberless(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numberless(each, name)]));
  if (key === 'webMaster') return '<email>';
  if (typeof value === 'number' && COUNTS.includes(key)) return '<number>';
  return typeof value === 'string' ? textForm(value) : value;
}
