import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Incoming } from '../../http/types.ts';
import { grab } from '../index.ts';
import { nzbOf } from '../nzb.ts';
import type { Hydra } from './hydra.ts';
import { errorPage, plainError } from './pages.ts';
import type { Result } from './results.ts';

/** Seconds: four hours, whatever has failed. */
const RETRY_AFTER = '14400';

/** `/getnzb/api/ID` (protocols.md §6.3). */
export async function getnzb(id: string, { path, query }: Incoming, hydra: Hydra): Promise<Answer> {
  if (!/^-?\d+$/.test(id)) return plainError(path, query);
  if (query.get('apikey') !== hydra.apiKey) return errorPage(500);
  return download(id, hydra);
}

/** The NZB of a result, by itself or by another indexer's result of the same title. */
export async function download(id: string, hydra: Hydra): Promise<Answer> {
  const result = hydra.results.of(id);
  if (result === undefined || !hydra.indexers.includes(result.indexer)) return FORGOTTEN;
  const link = result.indexer.link(result.post);
  if (!URL.canParse(link)) return errorPage(500);
  if (result.indexer.access === 'redirect') return { status: 302, headers: { location: link }, body: '' };
  const first = await fetched(result, hydra);
  if (first.status === 200) return first;
  for (const other of hydra.results.othersLike(result)) {
    const answer = await fetched(other, hydra);
    if (answer.status === 200) return answer;
  }
  return first;
}

const FORGOTTEN: Answer = {
  status: 200,
  headers: { 'content-type': 'application/xml;charset=UTF-8' },
  body: '<error code="300" description="Invalid or outdated search result ID"/>',
};

async function fetched(
  { indexer, post, title }: Result,
  { faults, settings, closed }: Hydra,
): Promise<Answer> {
  const { download: temper, name } = indexer;
  indexer.downloadHits += 1;
  indexer.grabs.push(post.guid);
  const failed = (status: number, headers: Answer['headers'] = {}): Answer => ({
    status,
    headers: { 'content-type': 'application/x-nzb;charset=ISO-8859-1', ...headers },
    body: `An error occurred while downloading ${title} from indexer ${name}`,
  });
  const lost = () => failed(429, { 'retry-after': RETRY_AFTER });
  if (temper === 'dead') await pause(settings.times.limit, undefined, { signal: closed });
  if (temper === 'dead' || temper === 'resets') return lost();
  if (typeof temper === 'object' && 'status' in temper)
    return [429, 500].includes(temper.status) ? lost() : failed(temper.status);
  const body = faults.nzb === undefined ? bodyOf(temper, post) : grab(post.guid, faults.nzb).body;
  return passedOn(title, body);
}

/** What the indexer has answered with 200; whatever it is, it is passed on as an NZB. */
function bodyOf(
  temper: Exclude<Result['indexer']['download'], { status: number }>,
  post: Result['post'],
): string {
  if (typeof temper === 'object')
    return `<?xml version="1.0" encoding="UTF-8"?>\n<error code="${temper.code}" description="${temper.description}"/>`;
  switch (temper) {
    case 'empty':
      return '';
    case 'page':
    case 'xml-page':
      return '<html><body>Log in</body></html>';
    case 'malformed-xml':
      return '<?xml version="1.0"?><nzb><file poster="x" date="1" subject="y"><groups>';
    default:
      return nzbOf(post);
  }
}

/** The title stands in the head only where Latin-1 can write it. */
function passedOn(title: string, body: Answer['body'] = ''): Answer {
  const isLatin = !/[\u0100-\uffff]/.test(title);
  const disposition = { 'content-disposition': `attachment; filename="${title}.nzb"` };
  return {
    status: 200,
    headers: { ...(isLatin && disposition), 'content-type': 'application/x-nzb;charset=UTF-8' },
    body,
  };
}
