import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rootOrSkip } from '../../../tools/debian-root/index.ts';
import { NewsConnection } from '../../support/usenet/nntp.ts';
import { post } from '../../support/usenet/poster.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import { type NewsServer, startNewsServer } from './news-server.ts';

const root = await rootOrSkip('the poster and a real INN');

describe.skipIf(!root)('the poster and a real INN', () => {
  let news: NewsServer;
  beforeAll(async () => {
    news = await startNewsServer(root!);
  });
  afterAll(async () => {
    // Undefined when it did not start.
    await (news as NewsServer | undefined)?.end();
  });

  it('has every article that the NZB names but those that were left out', async () => {
    const files = ['a.mkv', 'b "&" <c>.mkv'].map((name) => ({ name, bytes: virtualBytes(0, 249_999) }));
    const nzb = await post(news.port, files, {
      articleSize: 100_000,
      omit: ({ file, number }) => file === 'a.mkv' && number === 2,
    });
    const ids = [...nzb.matchAll(/number="(\d)">([^<]+)<\/segment>/g)];
    expect(ids.map(([, number]) => number)).toEqual(['1', '2', '3', '1', '2', '3']);
    const connection = await NewsConnection.open(news.port);
    const found = [];
    for (const [, , id = ''] of ids) found.push(await connection.has(id));
    connection.close();
    expect(found).toEqual([true, false, true, true, true, true]);
  });
});
