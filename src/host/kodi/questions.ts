import type { Questions } from '../port.ts';
import type { KodiDialogs } from './dialogs.ts';

/** Questions by Kodi's own dialogs. */
export function kodiQuestions(dialogs: KodiDialogs): Questions {
  return {
    text: async (question, signal) => {
      const written = (await dialogs.input(question, signal))?.trim();
      return written === '' && question.value === undefined ? undefined : written;
    },
    choose: async ({ title, rows }, signal) => {
      const lines = rows.map(({ label, detail = '' }) => ({ label, label2: detail }));
      const index = await dialogs.select(title, lines, signal);
      return index === undefined ? undefined : rows[index]?.id;
    },
    confirm: (question, signal) => dialogs.yesNo(question, signal),
    show: ({ title, text }, signal) => dialogs.text(title, text, signal),
  };
}
