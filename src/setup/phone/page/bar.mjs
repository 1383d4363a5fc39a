// Save and Done, always in reach.

import { isGone, Refused, send } from './api.mjs';
import { markWrong } from './controls.mjs';
import { button, el, handFocus, put, relabel } from './dom.mjs';
import { goTo } from './field-box.mjs';
import { entered, failing } from './final-test.mjs';
import { changes, enteredValues, saved, saveOthers, timesStored, watch } from './state.mjs';

const bar = document.getElementById('bar');

/** Ends what keeps the present content up to date. */
let leave = () => {};

/**
 * Fills the bar: what it tells scrolls where it is much, what is pressed stays in reach. `update` is called now and
 * whenever something was entered or saved; `next` gets the focus where the bar had it.
 */
export function fillBar({ told, pressed, update, next }) {
  leave();
  handFocus(bar, next, () => {
    bar.replaceChildren(el('div', { class: 'told' }, ...told), pressed);
    bar.hidden = false;
  });
  leave = watch(update);
}

export function hideBar() {
  leave();
  bar.hidden = true;
}

export const isBarShown = () => !bar.hidden;

const WARNINGS = {
  short: 'The TV closes this page soon. Press or enter anything to keep it open.',
  last: 'The TV closes this page soon: an hour is over. Save what you have entered.',
};
const warning = el('p', { class: 'said', role: 'status' });

/** Tells above the buttons, whatever they tell, that the time is 'short' or the 'last'; undefined: neither. */
export const warn = (kind) => put(warning, WARNINGS[kind] ?? '');

/** Shows both buttons. `onGone` hears that the TV has ended the set-up, with what it tells; `onDone` that the person has. */
export function showButtons({ onGone, onDone }) {
  const said = el('p', { class: 'said', role: 'status' });
  const say = (...what) => said.replaceChildren(...what);
  /** What is under way is told until it is over. */
  let isBusy = false;
  /** How often something was stored until what does not work was told; undefined: it was not. */
  let told;
  const isTold = () => changes() === 0 && told === timesStored();
  const attempt = async (act) => {
    say();
    isBusy = true;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (isGone(error)) onGone(error.told);
      else say(...refusedInWords(error));
    } finally {
      isBusy = false;
    }
  };
  const end = async () => {
    if (!isTold()) {
      const tested = await savedAndTested({ say, done });
      if (tested === undefined) return;
      if (tested.failed.length > 0) {
        told = tested.stored;
        update();
        say(...tested.failed.map(lineOf));
        goToWrong(tested.failed[0].box);
        return;
      }
    }
    await send('/api/done', {});
    onDone();
  };
  const save = button('Save', () =>
    attempt(async () => {
      await saveAll();
      say('Saved on the TV.');
    }),
  );
  const done = button('Done', () => attempt(end), 'main');
  const update = () => {
    const count = changes();
    // As a disabled one it would lose the focus.
    save.ariaDisabled = String(count === 0);
    relabel(save, count === 0 ? 'Save' : `Save ${count === 1 ? 'one change' : `${count} changes`}`);
    if (!isTold() && !isBusy) say();
    relabel(done, count > 0 ? 'Save and finish' : isTold() ? 'Finish all the same' : 'Done');
  };
  fillBar({
    told: [warning, said],
    pressed: el('div', { class: 'buttons' }, save, done),
    update,
    next: done,
  });
}

async function saveAll() {
  const values = enteredValues();
  if (Object.keys(values).length > 0) await send('/api/settings', { values });
  saved(values);
  await saveOthers();
}

/** Says what was refused, unless that stands at its field. */
function refusedInWords({ isMarked, told: { what, next, setting } }) {
  return isMarked || (setting !== undefined && markWrong(setting, `${what} ${next}`))
    ? ['Not saved yet: one field is marked.']
    : [el('strong', {}, what), ` ${next}`];
}

/**
 * Saves what was entered and tests it; what is entered or stored meanwhile as well. Gives what does not work, and how
 * often something was stored by then; undefined when the test was stopped.
 */
async function savedAndTested({ say, done }) {
  for (;;) {
    while (changes() > 0) await saveAll();
    const stored = timesStored();
    const failed = await failingNow({ say, done });
    if (failed === undefined) return undefined;
    if (changes() === 0 && stored === timesStored()) return { failed, stored };
  }
}

/** Tests what was entered, while that can be stopped. Gives what does not work; undefined when it was stopped. */
async function failingNow({ say, done }) {
  const tested = entered();
  if (tested.length === 0) return [];
  const stopping = new AbortController();
  const stop = el('button', { type: 'button', class: 'side' }, 'Stop');
  stop.addEventListener('click', () => stopping.abort());
  say(`Testing ${tested.map(({ name }) => name).join(', ')} … `, stop);
  try {
    const failed = await failing(tested, stopping);
    return stopping.signal.aborted ? undefined : failed;
  } finally {
    handFocus(stop, done, say);
  }
}

/** What does not work, with a way to it: why stands there, if that is known. */
function lineOf({ name, box, why }) {
  const show = el('button', { type: 'button', class: 'inline', 'aria-label': `Show ${name}` }, 'Show');
  show.addEventListener('click', () => goToWrong(box));
  const words = el('span', {}, el('strong', {}, `${name} does not work. `), why);
  return el('span', { class: 'line' }, words, show);
}

/** To what is wrong in a card. */
function goToWrong(box) {
  box.open = true;
  goTo(box.querySelector('[aria-invalid]') ?? box.querySelector('summary'));
}
