import { forget, isPaired, pair, Refused, send } from './api.mjs';
import { markWrong } from './controls.mjs';
import { discoverySection } from './discovery.mjs';
import { button, el, failureNote } from './dom.mjs';
import { servicesSections } from './services.mjs';
import { settingsSection } from './settings.mjs';
import { sourcesSection } from './sources.mjs';
import { changes, enteredValues, load, saved, watch } from './state.mjs';

const main = document.getElementById('main');
const bar = document.getElementById('bar');
const time = document.getElementById('time');

/** Whoever has scanned the picture has the code; it does not stay in the address, nor in the browser's history. */
async function open() {
  const code = location.hash.slice(1);
  if (code !== '') history.replaceState(null, '', location.pathname);
  try {
    const told = await connect(code);
    if (told === undefined) showDoor();
    else showSetup(told);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // To a phone that is connected another code is of no use.
    if (error.told.code === 'ENDED' || isPaired()) showEnd(error.told);
    else showDoor(error.told);
  }
}

/** What the TV tells a phone that is connected; undefined when it has to be given the code first. */
async function connect(code) {
  try {
    if (isPaired()) return await send('/api/settings');
  } catch (error) {
    if (error.told?.code !== 'AUTH_FAILED') throw error;
    // That was another set-up.
    forget();
  }
  if (code === '') return undefined;
  await pair(code);
  return send('/api/settings');
}

/** Asks for the code. */
function showDoor(told) {
  const code = el('input', {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: '7',
    'aria-label': 'Code',
    placeholder: '000000',
  });
  const said = el('div', {}, told === undefined ? undefined : failureNote(told));
  const enterCode = async () => {
    try {
      await pair(code.value.replace(/\s/g, ''));
      await open();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.replaceChildren(failureNote(error.told));
      code.select();
    }
  };
  const go = button('Connect', enterCode, 'main');
  code.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') go.click();
  });
  main.replaceChildren(
    el(
      'div',
      { class: 'door' },
      el('h2', {}, 'Enter the code'),
      el('p', { class: 'lead' }, 'It stands on your TV, below the picture.'),
      code,
      said,
      el('div', { class: 'buttons' }, go),
    ),
  );
  code.focus();
}

function showSetup(told) {
  load(told);
  main.replaceChildren(
    discoverySection(),
    ...servicesSections(),
    sourcesSection(told.sources),
    settingsSection(told.pages),
    el(
      'p',
      { class: 'small' },
      'This page comes from your TV over plain http, as TVs have no certificates: somebody who can read the traffic of your own network could read along. Keys that are stored are never shown, and the TV closes this page when you are done.',
    ),
  );
  showBar();
  countDown(told.timeLeft);
}

/** Save and Done, always in reach. */
function showBar() {
  const said = el('p', { class: 'said', role: 'status', hidden: true });
  const say = (...what) => {
    said.hidden = what.length === 0;
    said.replaceChildren(...what);
  };
  const attempt = async (act) => {
    say();
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { what, next, setting, code } = error.told;
      if (code === 'ENDED') return showEnd(error.told);
      say(el('strong', {}, what), ` ${next}`);
      if (setting !== undefined) markWrong(setting, next);
    }
  };
  const save = async () => {
    const values = enteredValues();
    await send('/api/settings', { values });
    saved(values);
  };
  const saveButton = button('Save', () =>
    attempt(async () => {
      await save();
      say('Saved on the TV.');
    }),
  );
  const doneButton = button(
    'Done',
    () =>
      attempt(async () => {
        // What was entered while the rest was being saved is saved as well.
        while (changes() > 0) await save();
        await send('/api/done', {});
        forget();
        showDone();
      }),
    'main',
  );
  bar.replaceChildren(said, el('div', { class: 'buttons' }, saveButton, doneButton));
  bar.hidden = false;
  watch(() => {
    const count = changes();
    saveButton.disabled = count === 0;
    saveButton.textContent = count === 0 ? 'Save' : `Save ${count === 1 ? 'one change' : `${count} changes`}`;
    doneButton.textContent = count === 0 ? 'Done' : 'Save and finish';
    if (count > 0) say();
  });
}

const MINUTE = 60_000;

function countDown(left) {
  const ends = performance.now() + left;
  const show = () => {
    const minutes = Math.ceil((ends - performance.now()) / MINUTE);
    time.textContent = minutes <= 1 ? 'Last minute' : `${minutes} min left`;
    time.classList.toggle('short', minutes <= 3);
    time.hidden = main.querySelector('section') === null;
  };
  show();
  setInterval(show, 5_000);
}

function showDone() {
  showPage(
    el('div', { class: 'mark', 'aria-hidden': 'true' }, '✓'),
    el('h2', {}, 'All done'),
    el('p', { class: 'lead' }, 'Everything is saved on the TV. You can close this page.'),
  );
}

const showEnd = ({ what, next }) => showPage(el('h2', {}, what), el('p', { class: 'lead' }, next));

function showPage(...parts) {
  bar.hidden = true;
  time.hidden = true;
  main.replaceChildren(el('div', { class: 'door', role: 'status' }, ...parts));
}

// The picture was scanned after the address had been typed.
addEventListener('hashchange', open);
await open();
