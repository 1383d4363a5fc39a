import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBrokenReleases } from '../../src/library/index.ts';
import { serializePlan } from '../../src/resolver/replacement-plan.ts';
import { parsePlan, playingReleaseOf } from '../../src/resolver.ts';
import { rememberBroken } from '../../src/service/remember-broken.ts';
import { link, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const SINTEL = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const JOB = { id: '7', name: 'Sintel-0a1b2c3d', category: 'movies', storage: '/mnt/Sintel' };

test('what played and lost bytes is remembered by the service, from what came along with /prepare', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const played = release({ name: 'Sintel.2010', size: 4e9, links: [link({ url: 'http://i.example/k3y' })] });
  const playing = playingReleaseOf({ release: played, job: JOB, files: [] });
  const written = JSON.stringify(serializePlan({ request: SINTEL, backend: 'b', releases: [], playing }));
  // Nothing of it is fetched again, so it holds no key.
  expect(written).not.toContain('k3y');
  const plan = parsePlan(JSON.parse(written));
  if (plan === undefined) throw new Error('the plan was not read');
  await rememberBroken(plan, folder, memoryLog());
  const broken = await openBrokenReleases(SINTEL, 'b', { folder, log: memoryLog() });
  expect(broken.failedAt(played)).toBeDefined();
  expect(broken.isBroken(JOB)).toBe(true);
});
