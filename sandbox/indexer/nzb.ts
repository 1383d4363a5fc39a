import type { CatalogueRelease } from '../catalogue.ts';
import { escapeXml } from '../http/types.ts';

/** Encoded bytes of a usual article. */
const SEGMENT = 739_067;
/** An NZB need not list what nobody reads: enough segments to look real, few enough to be made at once. */
const MAX_SEGMENTS = 4000;

/** The NZB of a release. Each message id carries the release's guid: by it the backend knows what it was given. */
export function nzbOf(release: CatalogueRelease): string {
  const files = release.videos.map((video) => ({ name: baseName(video.path), size: video.size * 1.03 }));
  files.push({ name: `${release.name}.nfo`, size: 4200 }, { name: `${release.name}.par2`, size: 38_000 });
  const entries = files.map((file, n) => fileEntry(release, file, n + 1, files.length));
  const password = release.password === true ? '<meta type="password">sandbox</meta>' : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
<head><meta type="name">${escapeXml(release.name)}</meta>${password}</head>
${entries.join('\n')}
</nzb>
`;
}

function fileEntry(
  release: CatalogueRelease,
  file: { readonly name: string; readonly size: number },
  number: number,
  files: number,
): string {
  const count = Math.min(MAX_SEGMENTS, Math.max(1, Math.ceil(file.size / SEGMENT)));
  const bytes = Math.ceil(file.size / count);
  const date = Math.floor(Date.parse(release.posted) / 1000);
  const subject = `[${number}/${files}] - "${file.name}" yEnc (1/${count})`;
  const segments = Array.from(
    { length: count },
    (_, n) =>
      `<segment bytes="${bytes}" number="${n + 1}">${number}.${n + 1}.${release.guid}@sandbox.invalid</segment>`,
  );
  return `<file poster="${escapeXml(release.poster)}" date="${date}" subject="${escapeXml(subject)}">
<groups><group>${release.usenetGroup}</group></groups>
<segments>${segments.join('')}</segments>
</file>`;
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1);
