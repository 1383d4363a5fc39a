import { expect } from 'vitest';
import type {
  ChoiceQuestion,
  CodeCard,
  OpenCodeCard,
  Questions,
  TextQuestion,
  YesNoQuestion,
} from '../../src/host/port.ts';
import { deferred } from '../../src/io/deferred.ts';
import { unlessAborted } from '../../src/io/wait.ts';

/** What a host has on its screen that waits for the person. */
export type PendingQuestion =
  | ({ readonly kind: 'text' } & TextQuestion)
  | ({ readonly kind: 'choice' } & ChoiceQuestion)
  | ({ readonly kind: 'yes-no' } & YesNoQuestion)
  | { readonly kind: 'page'; readonly title: string; readonly text: string }
  | ({ readonly kind: 'card' } & CodeCard);

type AskedOf<Kind extends PendingQuestion['kind']> = Extract<PendingQuestion, { readonly kind: Kind }>;

/**
 * The person in front of a recording host. Each of these waits until something is asked, answers it, and gives what was
 * asked; an answer that does not fit the question fails the test.
 */
export interface Person {
  /** What is asked now, once something is; it stays open. */
  asked(): Promise<PendingQuestion>;
  /** The same for a question of this kind. */
  waitFor<Kind extends PendingQuestion['kind']>(kind: Kind): Promise<AskedOf<Kind>>;
  /** Chooses the row of this id. */
  choose(id: string): Promise<AskedOf<'choice'>>;
  write(text: string): Promise<AskedOf<'text'>>;
  confirm(yes: boolean): Promise<AskedOf<'yes-no'>>;
  /** Goes on from a page that was shown. */
  goOn(): Promise<AskedOf<'page'>>;
  /** Goes back, from whatever is asked. */
  back(): Promise<PendingQuestion>;
  /** All that was asked so far, in order; of a card each of its states. */
  readonly history: readonly PendingQuestion[];
}

interface OpenQuestion {
  /** A card's may change. */
  asked: PendingQuestion;
  /** Undefined: back. */
  readonly answer: (value: unknown) => void;
}

/** Questions and code cards that wait for the person whom they come with. */
export function personAndQuestions(opened: () => void, closed: () => void) {
  const history: PendingQuestion[] = [];
  let open: OpenQuestion | undefined;

  const show = (asked: PendingQuestion) => {
    if (open !== undefined) throw new Error(`"${asked.title}" is asked while "${open.asked.title}" is open`);
    const { promise, resolve } = deferred<unknown>();
    const question: OpenQuestion = { asked, answer: resolve };
    open = question;
    history.push(asked);
    opened();
    return { question, answer: promise };
  };
  const ask = async <T>(asked: PendingQuestion, signal: AbortSignal): Promise<T | undefined> => {
    signal.throwIfAborted();
    const { question, answer } = show(asked);
    try {
      return (await unlessAborted(answer, signal)) as T | undefined;
    } finally {
      if (open === question) open = undefined;
      closed();
    }
  };
  const something = async (): Promise<OpenQuestion> => {
    await expect.poll(() => open, { interval: 2, message: 'nothing is asked' }).toBeDefined();
    return open!;
  };
  const of = async <Kind extends PendingQuestion['kind']>(kind: Kind) => {
    const question = await something();
    expect(question.asked, 'what is asked').toMatchObject({ kind });
    return { asked: question.asked as AskedOf<Kind>, answer: question.answer };
  };
  const answerTo = async <Kind extends PendingQuestion['kind']>(kind: Kind, value: unknown) => {
    const { asked, answer } = await of(kind);
    settle(answer, value);
    return asked;
  };
  const settle = (answer: OpenQuestion['answer'], value: unknown) => {
    answer(value);
    // Whatever is asked next is another question.
    open = undefined;
  };

  const person: Person = {
    asked: async () => (await something()).asked,
    waitFor: async (kind) => (await of(kind)).asked,
    choose: async (id) => {
      const { asked, answer } = await of('choice');
      expect(
        asked.rows.map((row) => row.id),
        `the rows of "${asked.title}"`,
      ).toContain(id);
      settle(answer, id);
      return asked;
    },
    write: (text) => answerTo('text', text),
    confirm: (yes) => answerTo('yes-no', yes),
    goOn: () => answerTo('page', true),
    back: async () => {
      const { asked, answer } = await something();
      settle(answer, undefined);
      return asked;
    },
    history,
  };
  const questions: Questions = {
    text: async (question, signal) => {
      const written = await ask<string>({ kind: 'text', ...question }, signal);
      const text = written?.trim();
      return text === '' && question.value === undefined ? undefined : text;
    },
    choose: (question, signal) => ask<string>({ kind: 'choice', ...question }, signal),
    confirm: (question, signal) => ask<boolean>({ kind: 'yes-no', ...question }, signal),
    show: async (page, signal) => {
      await ask({ kind: 'page', ...page }, signal);
    },
  };
  const openCodeCard = (card: CodeCard, signal: AbortSignal): Promise<OpenCodeCard> => {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const { question, answer } = show({ kind: 'card', ...card });
    const over = unlessAborted(answer, signal)
      .then(() => undefined)
      .finally(() => {
        if (open === question) open = undefined;
        closed();
      });
    // Nobody may be waiting for it yet.
    over.catch(() => undefined);
    return Promise.resolve({
      update: (next) => {
        if (open === question) {
          question.asked = { kind: 'card', ...next };
          history.push(question.asked);
        }
        return Promise.resolve();
      },
      closed: over,
      close: async () => {
        question.answer(undefined);
        await over.catch(() => undefined);
      },
    });
  };
  return { person, questions, openCodeCard };
}
