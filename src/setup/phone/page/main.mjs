import { showAgain } from './again.mjs';
import { forget, isPaired, pair, Refused, send } from './api.mjs';
import { hideBar, isBarShown, showButtons, warn } from './bar.mjs';
import { startClock, stopClock } from './clock.mjs';
import { codeBox, codeIn, onEnter } from './code.mjs';
import { discoverySection } from './discovery.mjs';
import { button, el, failureNote } from './dom.mjs';
import { servicesSections } from './services.mjs';
import { settingsSection } from './settings.mjs';
import { sourcesSection } from './sources.mjs';
import { changes, load, resume } from './state.mjs';

const main = document.getElementById('main');

/** Nothing that has the focus lies under these; how high they are, the style sheet has to be told. */
const covering = new ResizeObserver((entries) => {
  for (const { target } of entries)
    document.documentElement.style.setProperty(`--${target.id}`, `${target.offsetHeight}px`);
});
for (const id of ['top', 'bar']) covering.observe(document.getElementById(id));

/** Whoever has scanned the picture has the code; it does not stay in the address, nor in the browser's history. */
async function open() {
  const code = location.hash.slice(1);
  if (code !== '') history.replaceState(null, '', location.pathname);
  try {
    const told = await connect(code);
    if (told === undefined) showDoor();
    else if (main.querySelector('section') === null) showSetup(told);
    else goOn(told);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (main.querySelector('section') !== null) return showGone(error.told);
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
  const code = codeBox();
  const said = el('div', {}, told === undefined ? undefined : failureNote(told));
  const enterCode = async () => {
    try {
      await pair(codeIn(code.value));
      await open();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.replaceChildren(failureNote(error.told));
      code.select();
    }
  };
  const go = onEnter(code, button('Connect', enterCode, 'main'));
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
    discoverySection(told.looking),
    ...servicesSections(),
    sourcesSection(told.sources),
    settingsSection(told.pages),
    el(
      'p',
      { class: 'small' },
      'This page comes from your TV over plain http, as TVs have no certificates: somebody who can read the traffic of your own network could read along. Keys that are stored are never shown, and the TV closes this page when you are done.',
    ),
  );
  start();
}

/** From now on what is saved goes to the TV, for as long as it waits. */
function start() {
  showButtons({ onGone: showGone, onDone: showDone });
  startClock({ warn, over: (told = { what: 'The time is up.' }) => showGone(told) });
}

/** The set-up has ended on the TV. What was entered stays in view. */
function showGone(told) {
  stopClock();
  forget();
  showAgain(told, async (code) => {
    const told = await connect(codeIn(code));
    if (told !== undefined) goOn(told);
  });
}

/** With what was entered, in another set-up. */
function goOn(told) {
  resume(told);
  start();
}

function showDone() {
  forget();
  showPage(
    el('div', { class: 'mark', 'aria-hidden': 'true' }, '✓'),
    el('h2', {}, 'All done'),
    el('p', { class: 'lead' }, 'Everything is saved on the TV. You can close this page.'),
  );
}

const showEnd = ({ what, next }) => showPage(el('h2', {}, what), el('p', { class: 'lead' }, next));

function showPage(...parts) {
  stopClock();
  hideBar();
  main.replaceChildren(el('div', { class: 'door', role: 'status' }, ...parts));
}

addEventListener('beforeunload', (event) => {
  if (changes() > 0 && isBarShown()) event.preventDefault();
});
// The picture was scanned after the address had been typed.
addEventListener('hashchange', open);
await open();
