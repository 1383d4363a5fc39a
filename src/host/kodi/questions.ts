import type { Logger } from '../../log/index.ts';
import type { ChoiceQuestion, Questions, TextPage, YesNoQuestion } from '../port.ts';
import type { KodiDialogs } from './dialogs.ts';
import { openQuestion } from './question-window.ts';
import { kodiLabel, kodiText } from './text.ts';
import type { KodiWindows, WindowContent } from './windows.ts';

const CHOICE_XML = 'slipstream-choice.xml';
const CONFIRM_XML = 'slipstream-confirm.xml';
const PAGE_XML = 'slipstream-page.xml';
const YES = 10;
const NO = 11;
const CONTINUE = 10;
const LIST = 50;

export interface QuestionContext {
  readonly windows: KodiWindows;
  readonly dialogs: KodiDialogs;
  readonly log: Logger;
}

/**
 * Questions in windows of ours, which Kodi closes at once when it ends, unlike its own dialogs; in those where ours
 * cannot open. A text is written on Kodi's own keyboard.
 */
export function kodiQuestions({ windows, dialogs, log }: QuestionContext): Questions {
  /** The answer in a window of ours, else that of Kodi's dialog. */
  const inWindow = async <T>(
    xml: string,
    content: WindowContent,
    meaning: (control: number, row: string) => T | undefined,
    instead: () => Promise<T | undefined>,
    signal: AbortSignal,
  ): Promise<T | undefined> => {
    signal.throwIfAborted();
    const opened = await openQuestion(windows, xml, content, meaning, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      log.error("a question's window did not open; Kodi's own dialog is shown instead", error);
      return undefined;
    });
    return opened === undefined ? await instead() : await opened.answer;
  };
  return {
    text: async (question, signal) => {
      const written = (await dialogs.input(question, signal))?.trim();
      return written === '' && question.value === undefined ? undefined : written;
    },
    choose: (question, signal) =>
      inWindow(
        CHOICE_XML,
        choiceContent(question),
        (control, row) => (control === LIST && row !== '' ? row : undefined),
        () => chooseInDialog(dialogs, question, signal),
        signal,
      ),
    confirm: (question, signal) =>
      inWindow(
        CONFIRM_XML,
        confirmContent(question),
        (control) => ({ [YES]: true, [NO]: false })[control],
        () => dialogs.yesNo(question, signal),
        signal,
      ),
    show: async (page, signal) => {
      await inWindow(
        PAGE_XML,
        pageContent(page),
        isContinued,
        async () => {
          await dialogs.text(page.title, kodiText(page.text), signal);
          return true;
        },
        signal,
      );
    },
  };
}

/** Shows a text in a window of ours; resolves once it is up. @throws HOST_FAILED when it cannot be opened */
export async function showPage(windows: KodiWindows, page: TextPage, signal: AbortSignal): Promise<void> {
  await openQuestion(windows, PAGE_XML, pageContent(page), isContinued, signal);
}

function pageContent({ title, text }: TextPage): WindowContent {
  return { properties: { title: kodiLabel(title), text: kodiText(text) } };
}

const isContinued = (control: number) => (control === CONTINUE ? true : undefined);

function choiceContent({ title, rows, focused }: ChoiceQuestion): WindowContent {
  const lines = rows.map(({ id, label, detail = '' }) => ({
    id,
    label: kodiLabel(label),
    properties: { detail: kodiLabel(detail) },
  }));
  return {
    properties: { title: kodiLabel(title) },
    lists: { [LIST]: lines },
    focus: LIST,
    ...(focused !== undefined && { selected: { [LIST]: focused } }),
  };
}

function confirmContent({ title, text, yes, no, focused }: YesNoQuestion): WindowContent {
  const properties = {
    title: kodiLabel(title),
    text: kodiText(text),
    yes: kodiLabel(yes),
    no: kodiLabel(no),
  };
  return { properties, ...(focused === 'no' && { focus: NO }) };
}

async function chooseInDialog(
  dialogs: KodiDialogs,
  { title, rows }: ChoiceQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const lines = rows.map(({ label, detail = '' }) => ({
    label: kodiLabel(label),
    label2: kodiLabel(detail),
  }));
  const index = await dialogs.select(title, lines, signal);
  return index === undefined ? undefined : rows[index]?.id;
}
