import { describe } from 'vitest';
import { hostContract } from '../contracts/host.ts';
import { recordingHost } from './recording-host.ts';

describe('the recording host', () => {
  hostContract((settings) => {
    let settle: (index: number | undefined) => void = () => undefined;
    const host = recordingHost({
      settings,
      choice: () => new Promise((resolve) => (settle = resolve)),
    });
    const answer = (index: number | undefined) => {
      settle(index);
      return Promise.resolve();
    };
    return {
      host,
      choose: answer,
      back: () => answer(undefined),
      cancel: () => {
        host.cancel();
        return Promise.resolve();
      },
      abort: () => {
        host.abort();
      },
      handedOver: () => [...host.played, ...host.resolved].map((item) => item?.stream.url),
      notified: () => host.notified.map(({ what, next }) => `${what} ${next}`),
      open: () => host.open(),
    };
  });
});
