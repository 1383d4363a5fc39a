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
    const host = recordingHost({ settings, choice: person, resume });
    /** Whether a list is open, or a question for where to begin. */
    let isListed = false;
    return {
      host: {
        ...host,
        openPicker: (view, signal) => {
          isListed = true;
          return host.openPicker(view, signal);
        },
        askResume: (offer, signal) => {
          isListed = true;
          return host.askResume(offer, signal);
        },
      },
      choose: async (id) => {
        if (isListed) settle(id);
        else await host.person.choose(id);
      },
      back: async () => {
        begin(undefined);
        settle(undefined);
        if (!isListed) await host.person.back();
      },
      begin: (where) => {
        begin(where);
        return Promise.resolve();
      },
      write: async (text) => {
        await host.person.write(text);
      },
      confirm: async (yes) => {
        await host.person.confirm(yes);
      },
      goOn: async () => {
        await host.person.goOn();
      },
      shown: () =>
        Object.values(host.person.history.at(-1) ?? {})
          .map(shownText)
          .join('\n'),
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

const shownText = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
