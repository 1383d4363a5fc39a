import { Refused, send, unlessRefused } from './api.mjs';
import { checkList, MISSING, wrongIn } from './checks.mjs';
import { button, el, newId, stoppable, teller } from './dom.mjs';
import { sourceForm } from './source-form.mjs';
import { tell } from './state.mjs';

/** The place of the card for another entry. */
export const NEW = 'new';

/**
 * A card for an entry of the list. What is entered and not saved is kept in `drafts`, by its place; `onSaved` and
 * `onRemoved` get the place and the list as it is then.
 */
export function sourceCard({ place, source, drafts, onSaved, onRemoved }) {
  const isNew = place === NEW;
  const form = sourceForm(source);
  const before = JSON.stringify(form.value());
  if (drafts.has(place)) form.fill(drafts.get(place));
  const said = teller();
  form.element.addEventListener('input', () => {
    if (JSON.stringify(form.value()) === before) drafts.delete(place);
    else drafts.set(place, form.value());
    said.say();
    tell();
  });
  const box = el('details', { class: 'card', open: drafts.has(place) });
  const use = (address) => {
    form.use(address);
    start.focus();
    start.click();
  };
  const { save, test, remove } = actsOf({ place, form, said, box, use, onSaved, onRemoved });
  const [start, stop] = stoppable('Test', unlessRefused(test));
  const saveButton = button(isNew ? 'Add' : 'Save', unlessRefused(save), 'main');
  const buttons = el('div', { class: 'buttons' }, saveButton, start, stop);
  const asked = isNew ? undefined : removal(source.name, unlessRefused(remove), buttons);
  box.append(
    summaryOf(source, isNew),
    el('div', { class: 'body' }, form.element, said.element, buttons, asked),
  );
  return { place, source, box, name: source.name, save, test };
}

function summaryOf({ name, problem, enabled }, isNew) {
  const words = el(
    'div',
    { class: 'words' },
    el('h3', {}, isNew ? 'Add one' : name),
    problem === undefined ? undefined : el('p', {}, problem),
  );
  const badge = el('span', { class: `badge ${enabled ? '' : 'quiet'}` }, enabled ? 'On' : 'Off');
  return el('summary', {}, words, isNew ? undefined : badge);
}

/** What can be done with what stands in the form; each tells in the card what came of it. */
function actsOf({ place, form, said, box, use, onSaved, onRemoved }) {
  const entry = () => ({ ...form.value(), ...(place !== NEW && { index: place }) });
  /** Tells at its field what is refused. @throws Refused */
  const attempt = async (act, goes = true) => {
    said.say();
    form.clear();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { field, what, next } = error.told;
      form.lock(false);
      box.open = true;
      error.isMarked = field !== undefined;
      if (error.isMarked) form.mark(field, `${what} ${next}`, { goes });
      else said.fail(error.told);
      throw error;
    }
  };
  const store = async () => {
    const sent = entry();
    form.lock(true);
    try {
      const { sources } = await attempt(() => send('/api/sources', sent));
      onSaved(place, sources);
    } finally {
      form.lock(false);
    }
  };
  /** One at a time, whichever button asks; nothing is typed into what is being saved. */
  let saving;
  return {
    save: () => {
      saving ??= store().finally(() => {
        saving = undefined;
      });
      return saving;
    },
    test: (signal, goes = true) =>
      attempt(async () => {
        try {
          const { checks } = await send('/api/sources/test', entry(), signal);
          said.say(checkList(checks, markWrong(form, wrongIn(checks), { goes, use })));
          return checks;
        } catch (error) {
          if (signal.aborted) said.say(el('p', {}, 'The test was stopped.'));
          throw error;
        }
      }, goes),
    remove: async () => {
      const { sources } = await attempt(() => send('/api/sources/remove', { index: place }));
      onRemoved(place, sources);
    },
  };
}

/** Asks before it removes: what is stored on the TV only cannot be brought back. */
function removal(name, remove, buttons) {
  const ask = el('button', { type: 'button', class: 'plain bad', 'aria-label': `Remove ${name}` }, 'Remove');
  const keep = el('button', { type: 'button' }, 'Keep it');
  const id = newId();
  const asked = el(
    'div',
    { class: 'note', role: 'group', 'aria-labelledby': id, hidden: true },
    el('p', { id }, `Remove ${name}, with its key? That is done on the TV at once.`),
    el('div', { class: 'buttons' }, keep, button('Remove it', remove, 'bad')),
  );
  const show = (isAsked) => {
    asked.hidden = !isAsked;
    ask.hidden = isAsked;
    (isAsked ? keep : ask).focus();
  };
  ask.addEventListener('click', () => show(true));
  keep.addEventListener('click', () => show(false));
  buttons.append(ask);
  return asked;
}

/** Marks the field that a check of the test is about. Gives its name; undefined where it is about none. */
function markWrong(form, wrong, { goes, use }) {
  // It names the setting that stands for the same.
  const field = FIELDS.find(([end]) => wrong?.setting?.endsWith(end))?.[1];
  if (field === undefined) return undefined;
  const { failure, mend } = wrong;
  if (field === 'apiKey' && failure.code === 'AUTH_FAILED' && !form.hasKey())
    return form.mark(field, MISSING, { goes });
  if (mend === undefined) return form.mark(field, `${failure.what} ${failure.next}`, { goes });
  const known = button(`Use ${mend.value}`, () => use(mend.value));
  return form.mark(field, failure.what, { goes, mend: known });
}

const FIELDS = [
  ['_url', 'url'],
  ['_api_key', 'apiKey'],
];
