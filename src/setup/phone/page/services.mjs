import { Refused, send, unlessRefused } from './api.mjs';
import { checkList, MISSING, wrongIn } from './checks.mjs';
import { clearMarks, controlOf, field, markWrong } from './controls.mjs';
import { button, el, failureNote, handFocus, stoppable, teller } from './dom.mjs';
import { isOffered, take } from './given-key.mjs';
import { indexerField } from './known-indexers.mjs';
import {
  addressOf,
  enter,
  enteredValues,
  isBegun,
  isChosen,
  isEntered,
  isFilled,
  isSetUp,
  services,
  settingOf,
  valueOf,
  wasSaved,
  watch,
} from './state.mjs';

const ROLES = [
  { role: 'search', title: 'Where to search', lead: 'One of these is enough. They are all asked.' },
  { role: 'play', title: 'What plays', lead: 'One of these gets a release ready for playing.' },
  { role: 'extra', title: 'Extras', lead: 'Not needed, but of help.' },
];

/** The services, by what they are for. */
export const servicesSections = () =>
  ROLES.map(({ role, title, lead }) => ({
    title,
    lead,
    cards: services.filter((each) => each.role === role).map(card),
  }))
    .filter(({ cards }) => cards.length > 0)
    .map(({ title, lead, cards }) =>
      el('section', {}, el('h2', {}, title), el('p', { class: 'lead' }, lead), ...cards),
    );

/** Cards by the id of their service, with what is to be done when its address was entered by other means. */
const cards = new Map();

/** What is used and was changed since the page was opened, with what tests it. */
export const savedServices = () =>
  [...cards.values()].filter(
    ({ service }) =>
      isBegun(service) &&
      (service.role !== 'play' || isChosen(service)) &&
      [...service.fields.map(({ setting }) => setting), ...Object.keys(service.chosenBy)].some(wasSaved),
  );

/** Opens the card of a service, with an address in it where that is known. */
export function use(serviceId, url) {
  const service = services.find(({ id }) => id === serviceId);
  // Of some only the page is known at which the address is copied: what was typed stays.
  if (url !== undefined) enter(addressOf(service), url);
  if (service.role === 'play') choose(service);
  const { box, onAddress } = cards.get(serviceId);
  onAddress();
  box.open = true;
  box.scrollIntoView({ block: 'start', behavior: 'smooth' });
  box.querySelector('summary').focus({ preventScroll: true });
}

function choose({ chosenBy }) {
  for (const [id, value] of Object.entries(chosenBy)) enter(id, value);
}

function card(service) {
  const badge = el('span', { class: 'badge' });
  const results = teller();
  const fields = service.fields
    .filter(({ setting }) => settingOf(setting) !== undefined)
    .map(({ setting, isOptional }) => field(settingOf(setting), { isOptional }));
  const offer = el('div', { role: 'status' });
  const onAddress = () =>
    offerKey(offer, service, { onTaken: start, onLeft: controlOf(service.givenKey?.setting, box) });
  const test = (signal, goes) => testInto({ service, box, results, use }, signal, goes);
  const [start, stop] = stoppable('Test', unlessRefused(test), 'main');
  /** An address that is known to be right. */
  const use = (setting, address) => {
    enter(setting, address);
    start.focus();
    start.click();
  };
  const body = el(
    'div',
    { class: 'body' },
    service.id === 'newznab' ? knownIndexers() : undefined,
    ...fields,
    offer,
    results.element,
    el(
      'div',
      { class: 'buttons' },
      start,
      stop,
      service.role === 'play' ? chooserOf(service, start) : undefined,
    ),
  );
  body.addEventListener('input', () => results.say());
  body.addEventListener('change', onAddress);
  const words = el('div', { class: 'words' }, el('h3', {}, service.name), badge, el('p', {}, service.help));
  const box = el('details', { class: 'card' }, el('summary', {}, words), body);
  if (service.role === 'play') body.addEventListener('input', () => chooseFirst(service));
  watchState(service, badge, () => {
    clearMarks(box);
    results.say();
  });
  cards.set(service.id, { service, name: service.name, box, onAddress, test });
  return box;
}

/** Shows what a service is at. What another one has taken the place of has no faults any more. */
function watchState(service, badge, forgive) {
  let wasChosen = isChosen(service);
  watch(() => {
    if (wasChosen && !isChosen(service)) forgive();
    wasChosen = isChosen(service);
    const [label, kind] = stateOf(service);
    badge.textContent = label;
    badge.hidden = label === '';
    badge.className = `badge ${kind}`;
  });
}

function knownIndexers() {
  const { element, show } = indexerField(({ name, url }) => {
    enter('indexer_name', name || settingOf('indexer_name').default);
    enter('indexer_url', url);
  });
  watch(() => show(valueOf('indexer_url')));
  return element;
}

/**
 * Offers the key of a service that gives it to whoever asks; one that is not given is simply typed. The focus goes on to
 * what is next once it is taken, or left.
 */
async function offerKey(offer, service, { onTaken, onLeft }) {
  offer.replaceChildren();
  try {
    if (!(await isOffered(service))) return;
  } catch (error) {
    if (error instanceof Refused) return;
    throw error;
  }
  const close = (next, ...said) => handFocus(offer, next, () => offer.replaceChildren(...said));
  const use = async () => {
    try {
      await take(service);
      close(onTaken, el('div', { class: 'note good' }, 'The key is stored on the TV.'));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      close(onLeft, failureNote(error.told));
    }
  };
  offer.replaceChildren(
    el('p', {}, `${service.name} gives its API key without a login. Use it?`),
    el(
      'div',
      { class: 'buttons' },
      button('Use it', use, 'main'),
      button('No', () => close(onLeft)),
    ),
  );
}

/** Whoever begins to enter what plays wants to play with it, unless there is something else already. */
function chooseFirst(service) {
  const others = services.filter(({ role, id }) => role === 'play' && id !== service.id);
  if (!isChosen(service) && !others.some((each) => isChosen(each) && isSetUp(each))) choose(service);
}

function stateOf(service) {
  if (!isBegun(service)) return ['', ''];
  if (service.role === 'play' && !isChosen(service)) return ['Not used', 'quiet'];
  if (!isSetUp(service)) return ['Incomplete', 'quiet'];
  if (service.fields.some(({ setting }) => isEntered(setting))) return ['Not saved', 'quiet'];
  return [service.role === 'play' ? 'Plays' : 'Set up', ''];
}

/** Where it is chosen, it goes: the focus goes on to `next`. */
function chooserOf(service, next) {
  const chooser = el('button', { type: 'button' }, `Play with ${service.name}`);
  chooser.addEventListener('click', () => handFocus(chooser, next, () => choose(service)));
  watch(() => {
    chooser.hidden = isChosen(service);
  });
  return chooser;
}

/**
 * Tests with what stands on the page, and tells what came of it: what is wrong with a field stands there. Gives the
 * checks. @throws Refused, the signal's reason
 */
async function testInto({ service, box, results, use }, signal, goes) {
  const where = { within: box, goes };
  clearMarks(box);
  results.say();
  try {
    assertThere(service);
    const { checks } = await send('/api/test', { service: service.id, values: enteredValues() }, signal);
    const wrong = wrongIn(checks);
    const isMarked = wrong !== undefined && markCheck(wrong, { ...where, use });
    results.say(checkList(checks, isMarked ? settingOf(wrong.setting).label : undefined));
    return checks;
  } catch (error) {
    if (signal.aborted) results.say(el('p', {}, 'The test was stopped.'));
    if (!(error instanceof Refused)) throw error;
    const { setting, what, next } = error.told;
    error.isMarked = setting !== undefined && markWrong(setting, `${what} ${next}`, where);
    if (!error.isMarked) results.fail(error.told);
    throw error;
  }
}

/** Without its address nothing can be asked. @throws Refused */
function assertThere(service) {
  const setting = addressOf(service) ?? service.fields[0].setting;
  if (!isFilled(setting)) throw new Refused({ code: 'EMPTY', ...EMPTY, setting });
}

const EMPTY = { what: 'This is still empty.', next: 'Enter it first.' };

/** Marks the fields that a check is about. Gives whether there is one. */
function markCheck({ setting, alsoLikely = [], failure, mend }, { use, ...where }) {
  if (setting === undefined) return false;
  for (const other of alsoLikely) markWrong(other, 'Or this is wrong.', { ...where, goes: false });
  if (failure.code === 'AUTH_FAILED' && !isFilled(setting)) return markWrong(setting, MISSING, where);
  if (mend === undefined) return markWrong(setting, `${failure.what} ${failure.next}`, where);
  const known = button(`Use ${mend.value}`, () => use(mend.setting, mend.value));
  return markWrong(setting, failure.what, { ...where, mend: known });
}
