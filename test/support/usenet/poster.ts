// Posts files to a news server the way a poster's program does, and writes the NZB that names them.
import { randomUUID } from 'node:crypto';
import { NewsConnection } from './nntp.ts';
import { yencBody } from './yenc.ts';

export const GROUP = 'alt.binaries.test';
const POSTER = 'Poster <poster@example.invalid>';

export interface PostedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One of a file's articles. */
export interface ArticleOf {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

export interface PostOptions {
  /** Bytes of a file in one article. */
  readonly articleSize?: number;
  /** Leaves an article out: the NZB names it, and the server never gets it. */
  readonly omit?: (article: ArticleOf) => boolean;
}

interface Article extends ArticleOf {
  readonly messageId: string;
  readonly subject: string;
  readonly body: Buffer;
}

/** Posts the files and gives the NZB. */
export async function post(
  port: number,
  files: readonly PostedFile[],
  { articleSize = 100_000, omit = () => false }: PostOptions = {},
): Promise<string> {
  const articles = files.map((file, n) => articlesOf(file, `[${n + 1}/${files.length}]`, articleSize));
  const connection = await NewsConnection.open(port);
  try {
    for (const article of articles.flat()) if (!omit(article)) await connection.post(onTheWire(article));
  } finally {
    connection.close();
  }
  return nzbOf(articles);
}

function articlesOf({ name, bytes }: PostedFile, counter: string, articleSize: number): Article[] {
  const total = Math.max(1, Math.ceil(bytes.length / articleSize));
  return Array.from({ length: total }, (_, index) => {
    const number = index + 1;
    const from = index * articleSize;
    const part = bytes.subarray(from, from + articleSize);
    return {
      file: name,
      number,
      total,
      messageId: `${randomUUID()}@example.invalid`,
      subject: `${counter} - "${name}" yEnc (${number}/${total})`,
      body: yencBody({ name, size: bytes.length, number, total, from, bytes: part }),
    };
  });
}

function onTheWire({ messageId, subject, body }: Article): Buffer {
  const headers = [
    `From: ${POSTER}`,
    `Newsgroups: ${GROUP}`,
    `Subject: ${subject}`,
    `Message-ID: <${messageId}>`,
  ];
  return Buffer.concat([Buffer.from(`${headers.join('\r\n')}\r\n\r\n`), body]);
}

/** One list of articles for each file. */
function nzbOf(files: readonly (readonly Article[])[]): string {
  const date = Math.floor(Date.now() / 1000);
  const segments = (articles: readonly Article[]) =>
    articles.map(
      ({ number, body, messageId }) =>
        `      <segment bytes="${body.length}" number="${number}">${messageId}</segment>\n`,
    );
  const file = (articles: readonly Article[]) =>
    `  <file poster="${xml(POSTER)}" date="${date}" subject="${xml(articles[0]?.subject ?? '')}">
    <groups><group>${GROUP}</group></groups>
    <segments>\n${segments(articles).join('')}    </segments>
  </file>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
${files.map(file).join('')}</nzb>\n`;
}

const xml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
