import * as v from 'valibot';
import { unlessAborted } from '../../io/wait.ts';
import { headingOf } from '../heading.ts';
import type { TextQuestion, YesNoQuestion } from '../port.ts';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';
import { kodiLabel, kodiText } from './text.ts';
import type { KodiWindows } from './windows.ts';

interface SelectRow {
  readonly label: string;
  readonly label2: string;
}

/** Kodi's own dialogs, which wait for the person. One at a time. */
export interface KodiDialogs {
  /** The position of the chosen row, or undefined when the person goes back. */
  select(heading: string, rows: readonly SelectRow[], signal: AbortSignal): Promise<number | undefined>;
  /** The same by Kodi's context menu, which shows over everything. */
  menu(rows: readonly string[], signal: AbortSignal): Promise<number | undefined>;
  /** What the person wrote, or undefined when the person goes back. */
  input(question: TextQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** Undefined when the person goes back. */
  yesNo(question: YesNoQuestion, signal: AbortSignal): Promise<boolean | undefined>;
  /** Text of any length, as it is, until the person closes it. */
  text(heading: string, text: string, signal: AbortSignal): Promise<void>;
}

/** @param windows A window of ours that is still coming up would come up over the dialog. */
export function kodiDialogs(peer: BridgePeer, windows: Pick<KodiWindows, 'waitUntilSettled'>): KodiDialogs {
  // Kodi shows one at a time: until a dialog that was aborted is gone, the next one would be refused.
  let leaving: Promise<unknown> = Promise.resolve();
  const inFront = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    await unlessAborted(Promise.all([windows.waitUntilSettled(), leaving]), signal);
    signal.throwIfAborted();
    const answer = call();
    try {
      return await unlessAborted(answer, signal);
    } catch (error) {
      if (signal.aborted) leaving = Promise.all([leaving, closeDialog(peer, answer)]);
      throw error;
    }
  };
  return {
    select: async (heading, rows, signal) => {
      const call = () =>
        callChecked(peer, 'dialog.select', { heading: kodiLabel(heading), rows }, v.number());
      return indexWithin(rows.length, await inFront(call, signal));
    },
    menu: async (rows, signal) => {
      const call = () => callChecked(peer, 'dialog.menu', { rows: rows.map(kodiLabel) }, v.number());
      return indexWithin(rows.length, await inFront(call, signal));
    },
    input: async (question, signal) => {
      const { value = '', hidden = false } = question;
      const params = { heading: kodiLabel(headingOf(question)), value, hidden };
      const call = () => callChecked(peer, 'dialog.input', params, v.nullable(v.string()));
      return (await inFront(call, signal)) ?? undefined;
    },
    yesNo: async ({ title, text, yes, no }, signal) => {
      const words = {
        heading: kodiLabel(title),
        text: kodiText(text),
        yes: kodiLabel(yes),
        no: kodiLabel(no),
      };
      const call = () => callChecked(peer, 'dialog.confirm', words, v.nullable(v.boolean()));
      return (await inFront(call, signal)) ?? undefined;
    },
    text: async (heading, text, signal) => {
      const page = { heading: kodiLabel(heading), text };
      await inFront(() => callChecked(peer, 'dialog.text', page, v.boolean()), signal);
    },
  };
}

const indexWithin = (count: number, index: number) => (index >= 0 && index < count ? index : undefined);

/**
 * Closes the dialog; resolves when it is gone. An abort does not wait for that: while Kodi ends, the dialog may stay
 * until Kodi itself takes it away (kodi.md §2.2). A bridge that is gone has none.
 */
async function closeDialog(peer: BridgePeer, answer: Promise<unknown>): Promise<void> {
  peer.call('dialog.close', {}).catch(() => undefined);
  await answer.catch(() => undefined);
}
