import type { CatalogueRelease } from '../catalogue.ts';
import { escapeXml } from '../http/types.ts';
import { articlesOf, encodedBytes, type PostedFile, postedFiles } from '../posts.ts';

/**
 * The NZB of a release. Each message id carries the numbers of file and segment and the release's guid: by them the
 * backend knows what it was given.
 */
export function nzbOf(release: CatalogueRelease): string {
  const files = postedFiles(release);
  const left = files.filter((_, n) => n !== release.archive?.lacksVolume);
  const entries = left.map((file) => fileEntry(release, file, files.indexOf(file) + 1, files.length));
  const { password, tellsPassword } = release.archive ?? {};
  const meta = tellsPassword === true ? `<meta type="password">${escapeXml(password ?? '')}</meta>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
<head><meta type="name">${escapeXml(release.name)}</meta>${meta}</head>
${entries.join('\n')}
</nzb>
`;
}

function fileEntry(release: CatalogueRelease, file: PostedFile, number: number, files: number): string {
  const { guid, segments: order } = release;
  const articles = articlesOf(file.size);
  const date = Math.floor(Date.parse(release.posted) / 1000);
  const subject = `[${number}/${files}] - "${file.name}" yEnc (1/${articles.length})`;
  const all = articles.map(
    (article, n) =>
      `<segment bytes="${encodedBytes(article)}" number="${n + 1}">${number}.${n + 1}.${guid}@sandbox.invalid</segment>`,
  );
  const listed = file.holds?.video === 0 && order !== undefined ? ordered(all, order) : all;
  return `<file poster="${escapeXml(release.poster)}" date="${date}" subject="${escapeXml(subject)}">
<groups><group>${release.usenetGroup}</group></groups>
<segments>${listed.join('')}</segments>
</file>`;
}

/** What an NZB that is not as it should be lists of a file. */
function ordered(
  segments: readonly string[],
  order: NonNullable<CatalogueRelease['segments']>,
): readonly string[] {
  if (order === 'reversed') return segments.toReversed();
  const absent = order.lacks.map((n) => (n < 0 ? segments.length + n : n));
  return segments.filter((_, n) => !absent.includes(n));
}
