import { expect, test } from 'vitest';
import type { Backend, Nzb } from '../../src/backends/backend.ts';
import { openSourceLimits } from '../../src/backends/nzb/source-limits.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { deferred } from '../../src/io/deferred.ts';
import { withBackups } from '../../src/resolver/backups.ts';
import { resolver } from '../../src/resolver.ts';
import { link, release } from '../release/candidates.ts';
import { serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';
import { nzbText, postedFile } from '../support/nzb.ts';

test('no backup is asked for where an indexer has said in this play that it delivers no more', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.end(nzbText([postedFile('Sintel.2010.mkv', 2)]));
  });
  const spent = link({ url: `${url}/spent`, indexer: 'Spent' });
  const limits = openSourceLimits();
  limits.record(spent, new SlipstreamError('RATE_LIMITED', { what: 'No more.', next: 'Wait.' }));
  const twins = [
    release({ name: 'a', links: [spent] }),
    release({ name: 'b', links: [spent, link({ url: `${url}/other`, indexer: 'Other' })] }),
  ];
  const added = deferred<readonly Nzb[]>();
  const backend = {
    name: 'any',
    addBackups: (nzbs: readonly Nzb[]) => {
      added.resolve(nzbs);
      return Promise.resolve(nzbs.length);
    },
  } as unknown as Backend;
  const job = { id: '1', name: 'Sintel-0a1b2c3d', category: 'movies' };
  const context = {
    release: release(),
    reposts: () => twins,
    limits,
    signal: new AbortController().signal,
    log: memoryLog(),
  };
  const nzbs = await withBackups(backend, job, context, resolver, () => added.promise);
  expect(nzbs.map((nzb) => nzb.release.name)).toEqual(['b']);
  expect(asked).toEqual(['/other']);
});
