// The lint rule about clocks. Plain JavaScript, because ESLint's configuration is.
import { relative, sep } from 'node:path';

/**
 * How often each file asks the system's clock: to keep a time of day, to tell one, or to compare one with that of another
 * machine or of another run. Everything else measures durations, by performance.now(), or by sharedNow() where another
 * process goes on with it: the system's clock is set, forwards and backwards.
 */
export const TIMES_OF_DAY = {
  'sandbox/direct-stream/streaming-addon.ts': 1,
  'sandbox/indexer/hydra/indexer.ts': 2,
  'sandbox/indexer/prowlarr/prowlarr.ts': 1,
  'sandbox/nzbdav/altmount.ts': 1,
  'sandbox/nzbdav/infinidysk.ts': 1,
  'sandbox/nzbdav/slots.ts': 1,
  'sandbox/nzbget/jobs.ts': 8,
  'src/backends/download-client/verify-folders.ts': 2,
  'src/backends/ledger.ts': 3,
  'src/backends/sabnzbd/api.ts': 1,
  'src/io/retry-after.ts': 1,
  'src/io/store.ts': 2,
  'src/library/broken-releases.ts': 1,
  'src/library/failures.ts': 1,
  'src/library/pack-store.ts': 1,
  'src/library/resume-points.ts': 1,
  'src/release/filter/filter.ts': 1,
  'src/release/name/year.ts': 1,
  'src/selection/choose.ts': 1,
  'src/search/run/search-progress.ts': 2,
  'src/search/cache/search-cache.ts': 2,
  'src/search/cache/cached-search.ts': 2,
  'src/search/sources/hydra/unavailability.ts': 1,
  'src/search/metadata/metadata-cache.ts': 2,
  'src/search/sources/prowlarr/unavailability.ts': 1,
  'src/search/run/cooldown.ts': 1,
  'src/search/run/start-search.ts': 1,
  'src/search/run/status-text.ts': 2,
  'src/search/sources/common/posting.ts': 1,
  'src/search/sources/common/fields.ts': 1,
  'src/search/sources/common/persisted.ts': 2,
  'src/search/run/cooldown-text.ts': 1,
  'src/service/resume-after-update.ts': 1,
  'src/service/sweep-jobs.ts': 1,
  'src/library/throughput.ts': 1,
  'src/setup/failure/report.ts': 1,
  'src/setup/first-run/play-film.ts': 1,
  'src/stream-proxy/holes/server-health.ts': 1,
  'src/stream-proxy/session/journal.ts': 1,
  'src/stream-proxy/session/session.ts': 1,
  'src/stream-proxy/session/trouble.ts': 1,
  'src/stream-proxy/source/source.ts': 1,
  'test/backends/ledger.test.ts': 6,
  'test/backends/webdav/held-jobs.test.ts': 1,
  'test/contracts/backend-finished.ts': 1,
  'test/contracts/source.ts': 2,
  'test/host/kodi/set-aside-queue.test.ts': 2,
  'test/host/kodi/replay-request.test.ts': 1,
  'test/io/store-upgrade.test.ts': 1,
  'test/io/store.test.ts': 1,
  'test/library/resume-points.test.ts': 1,
  'test/sandbox/nzbhydra2.test.ts': 1,
  'test/sandbox/replay/aiostreams-posts.ts': 1,
  'test/search/sources/aiostreams/aiostreams.test.ts': 1,
  'test/search/cache/cached-search.test.ts': 4,
  'test/search/sources/hydra/hydra.test.ts': 1,
  'test/search/managers.test.ts': 7,
  'test/search/sources/prowlarr/prowlarr.test.ts': 1,
  'test/search/sources/stremio/restart.test.ts': 1,
  'test/search/sources/common/reading.test.ts': 2,
  'test/service/resume-after-update.test.ts': 4,
  'test/service/sweep-jobs.test.ts': 3,
  'test/settings/effects/releases.ts': 1,
  'test/stream-proxy/session/trouble.test.ts': 3,
  'test/support/fault-server/head.ts': 1,
  'test/support/usenet/poster.ts': 1,
  'tools/ends/report.ts': 1,
  'tools/lib/sections.ts': 1,
};

const ASKING = [
  "MemberExpression[object.name='Date'][property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.name='Date']",
];

/**
 * Finds each use of the system's clock that the list does not tell, and each entry that tells of more than there are.
 * @param {string} root The folder that the list's paths begin at.
 * @param {Readonly<Record<string, number>>} list
 * @returns {import('eslint').Rule.RuleModule}
 */
export const timesOfDay = (root, list = TIMES_OF_DAY) => ({
  meta: { type: 'problem', schema: [] },
  create(context) {
    const told = list[relative(root, context.filename).split(sep).join('/')] ?? 0;
    /** @type {import('estree').Node[]} */
    const found = [];
    const note = (node) => found.push(node);
    return {
      ...Object.fromEntries(ASKING.map((selector) => [selector, note])),
      'Program:exit': (program) => {
        const message =
          found.length > told
            ? 'A duration is measured by performance.now(), or by sharedNow() from src/io. For a time of day: TIMES_OF_DAY in tools/lint/times-of-day.mjs.'
            : `TIMES_OF_DAY tells of ${told} here, and there are ${found.length}.`;
        if (found.length !== told) context.report({ node: found.at(-1) ?? program, message });
      },
    };
  },
});
