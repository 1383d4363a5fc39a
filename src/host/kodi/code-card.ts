import type { CodeCard, OpenCodeCard } from '../port.ts';
import { typedAddress } from '../typed-address.ts';
import { type CodePicture, codePicture } from './code-picture.ts';
import type { KodiDialogs } from './dialogs.ts';
import { openQuestion } from './question-window.ts';
import type { QuestionContext } from './questions.ts';
import { kodiLabel, kodiLabelUnredacted, kodiText } from './text.ts';

const CARD_XML = 'slipstream-code.xml';
const BACK = 10;

/** Shows the card in a window of ours; as text in a dialog of Kodi's where that cannot open. */
export async function openKodiCodeCard(
  { windows, dialogs, log }: QuestionContext,
  dataFolder: string,
  card: CodeCard,
  signal: AbortSignal,
): Promise<OpenCodeCard> {
  signal.throwIfAborted();
  const picture = codePicture(dataFolder);
  try {
    return await openInWindow(windows, picture, card, signal);
  } catch (error) {
    await picture.remove();
    signal.throwIfAborted();
    log.error("the code's window did not open; Kodi's own dialog is shown instead", error);
    return openAsText(dialogs, card, signal);
  }
}

async function openInWindow(
  windows: QuestionContext['windows'],
  picture: CodePicture,
  card: CodeCard,
  signal: AbortSignal,
): Promise<OpenCodeCard> {
  let shown = card.address;
  const content = { properties: { ...cardProperties(card), picture: await picture.show(shown) } };
  const isBack = (control: number) => control === BACK || undefined;
  const window = await openQuestion(windows, CARD_XML, content, isBack, signal);
  let isOpen = true;
  const closed = window.answer
    .finally(() => {
      isOpen = false;
      return picture.remove();
    })
    .then(() => undefined);
  // Nobody may be waiting for it yet.
  closed.catch(() => undefined);
  return {
    update: async (next) => {
      if (!isOpen) return;
      const redrawn = next.address === shown ? {} : { picture: await picture.show(next.address) };
      shown = next.address;
      await window.update({ properties: { ...cardProperties(next), ...redrawn } });
    },
    closed,
    close: async () => {
      await window.close();
      await closed.catch(() => undefined);
    },
  };
}

/** Address and code are shown as they are: to be read by this person is what they are for. */
function cardProperties({ title, address, code, text, status }: CodeCard): Record<string, string> {
  return {
    title: kodiLabel(title),
    address: kodiLabelUnredacted(typedAddress(address)),
    code: kodiLabelUnredacted(code),
    text: kodiText(text),
    status: kodiLabel(status),
  };
}

/** That dialog cannot change while it is open: what happens is not shown. */
function openAsText(
  dialogs: KodiDialogs,
  { title, address, code, text }: CodeCard,
  signal: AbortSignal,
): OpenCodeCard {
  const ended = new AbortController();
  const words = [kodiText(text), kodiLabelUnredacted(typedAddress(address)), kodiLabelUnredacted(code)].join(
    '\n\n',
  );
  const closed = dialogs
    .text(title, words, AbortSignal.any([signal, ended.signal]))
    .catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  // Nobody may be waiting for it yet.
  closed.catch(() => undefined);
  return {
    update: () => Promise.resolve(),
    closed,
    close: async () => {
      ended.abort(new Error('the card is closed'));
      await closed.catch(() => undefined);
    },
  };
}
