import { SlipstreamError } from '../../errors/index.ts';
import type { Backend } from '../backend.ts';
import { readFileRange } from '../read-file-range.ts';
import { DIRECT_STREAM_TIMINGS } from './timings.ts';

const NAME = 'The streaming service';

/** For whoever has set up none: only links that play by themselves can be played (Link.plays), and no NZB. */
export function linksOnlyBackend(): Backend {
  const refuse = () =>
    Promise.reject(
      new SlipstreamError('SUBMIT_REFUSED', {
        what: 'This release needs a backend, and none is set up.',
        next: 'Choose a stream of your add-on, or set up a backend in the settings of Slipstream (Backends).',
      }),
    );
  return {
    name: NAME,
    identity: 'links only',
    via: 'player',
    categoryOf: () => '',
    test: () => Promise.resolve([]),
    finishedJobs: () => Promise.resolve([]),
    preflight: refuse,
    submit: refuse,
    waitUntilReady: refuse,
    locate: refuse,
    read: (file, range, signal) => {
      const headers = file.via === 'proxy' ? file.headers : {};
      return readFileRange(
        { url: file.url, headers, who: NAME, timeout: DIRECT_STREAM_TIMINGS.read, signal },
        range,
      );
    },
    remove: () => Promise.resolve('absent'),
  };
}
