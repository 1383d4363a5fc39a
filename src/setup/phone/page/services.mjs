import { Refused, send } from './api.mjs';
import { clearMarks, field, markWrong } from './controls.mjs';
import { button, el, failureNote } from './dom.mjs';
import { isOffered, take } from './given-key.mjs';
import {
  enter,
  enteredValues,
  isBegun,
  isChosen,
  isEntered,
  isSetUp,
  services,
  settingOf,
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

/** Opens the card of a service, with an address in it. */
export function use(serviceId, url) {
  const service = services.find(({ id }) => id === serviceId);
  const address = service.fields.find(({ setting }) => /_url$/.test(setting));
  enter(address.setting, url);
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
  const results = el('div', { role: 'status' });
  const fields = service.fields
    .filter(({ setting }) => settingOf(setting) !== undefined)
    .map(({ setting, isOptional }) => field(settingOf(setting), { isOptional }));
  const chooser = service.role === 'play' ? chooserOf(service) : undefined;
  const offer = el('div', { role: 'status' });
  const onAddress = () => offerKey(offer, service);
  const test = button('Test', () => testInto(results, service, box), 'main');
  const body = el(
    'div',
    { class: 'body' },
    ...fields,
    offer,
    results,
    el('div', { class: 'buttons' }, test, chooser),
  );
  body.addEventListener('input', () => results.replaceChildren());
  body.addEventListener('change', onAddress);
  const words = el('div', { class: 'words' }, el('h3', {}, service.name), badge, el('p', {}, service.help));
  const box = el('details', { class: 'card' }, el('summary', {}, words), body);
  if (service.role === 'play') body.addEventListener('input', () => chooseFirst(service));
  watch(() => {
    const [label, kind] = stateOf(service);
    badge.textContent = label;
    badge.hidden = label === '';
    badge.className = `badge ${kind}`;
  });
  cards.set(service.id, { box, onAddress });
  return box;
}

/** Offers the key of a service that gives it to whoever asks; one that is not given is simply typed. */
async function offerKey(offer, service) {
  offer.replaceChildren();
  try {
    if (!(await isOffered(service))) return;
  } catch (error) {
    if (error instanceof Refused) return;
    throw error;
  }
  const use = async () => {
    try {
      await take(service);
      offer.replaceChildren(el('div', { class: 'note good' }, 'The key is stored on the TV.'));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      offer.replaceChildren(failureNote(error.told));
    }
  };
  const no = button('No', () => offer.replaceChildren());
  offer.replaceChildren(
    el('p', {}, `${service.name} gives its API key without a login. Use it?`),
    el('div', { class: 'buttons' }, button('Use it', use, 'main'), no),
  );
}

/** Whoever begins to enter what plays wants to play with it, unless there is something else already. */
function chooseFirst(service) {
  const others = services.filter(({ role, id }) => role === 'play' && id !== service.id);
  if (!isChosen(service) && !others.some((each) => isChosen(each) && isSetUp(each))) choose(service);
}

function stateOf(service) {
  if (!isSetUp(service)) return isBegun(service) ? ['Incomplete', 'quiet'] : ['', ''];
  if (service.fields.some(({ setting }) => isEntered(setting))) return ['Not saved', 'quiet'];
  if (service.role !== 'play') return ['Set up', ''];
  return isChosen(service) ? ['Plays', ''] : ['Not used', 'quiet'];
}

function chooserOf(service) {
  const chooser = el('button', { type: 'button' }, `Play with ${service.name}`);
  chooser.addEventListener('click', () => choose(service));
  watch(() => {
    chooser.hidden = isChosen(service);
  });
  return chooser;
}

/** Tests with what stands on the page, and tells what came of it. */
async function testInto(results, service, box) {
  clearMarks(box);
  results.replaceChildren();
  try {
    const { checks } = await send('/api/test', { service: service.id, values: enteredValues() });
    results.replaceChildren(checkList(checks));
    const wrong = checks.find(({ failure }) => failure !== undefined);
    if (wrong?.setting !== undefined) markWrong(wrong.setting, told(wrong.failure), box);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    results.replaceChildren(failureNote(error.told));
    if (error.told.setting !== undefined) markWrong(error.told.setting, told(error.told), box);
  }
}

const told = ({ what, next }) => `${what} ${next}`;

/** What a test has tried, one after the other. */
export const checkList = (checks) =>
  el(
    'ul',
    { class: 'checks' },
    checks.map(({ what, found, failure }) =>
      failure === undefined
        ? el('li', {}, el('div', {}, el('strong', {}, what), found))
        : el('li', { class: 'failed' }, el('div', {}, el('strong', {}, failure.what), failure.next)),
    ),
  );
