import { describe } from 'vitest';
import { shownRows } from '../../src/host/shown-rows.ts';
import { hostContract } from '../contracts/host.ts';
import { recordingHost } from './recording-host.ts';

describe('the recording host', () => {
  hostContract((settings) => {
    let settle: (id: string | undefined) => void = () => undefined;
    const person = () => new Promise<string | undefined>((resolve) => (settle = resolve));
    let begin: (where: 'resume' | 'start' | undefined) => void = () => undefined;
    const resume = () => new Promise<'resume' | 'start' | undefined>((resolve) => (begin = resolve));
    const host = recordingHost({ settings, choice: person, text: person, resume });
    const answer = (words: string | undefined) => {
      settle(words);
      return Promise.resolve();
    };
    return {
      host,
      choose: answer,
      back: () => {
        begin(undefined);
        return answer(undefined);
      },
      begin: (where) => {
        begin(where);
        return Promise.resolve();
      },
      write: answer,
      listed: () => shownRows(host.picked.at(-1)!, undefined).rows.map(({ name }) => name),
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
