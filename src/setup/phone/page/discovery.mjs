import { Refused, send, sendForLines } from './api.mjs';
import { button, el, failureNote, handFocus } from './dom.mjs';
import { use } from './services.mjs';

/**
 * Looks for services on the network when asked to, and lists them as they are found; who stops it keeps what was found.
 *
 * @param takes How long that takes, in words.
 */
export function discoverySection(takes) {
  const list = el('div', { class: 'card', hidden: true });
  const said = el(
    'p',
    { class: 'lead', role: 'status' },
    `Looks for Prowlarr, NZBHydra2, nzbdav, AIOStreams and others near the TV. Takes ${takes}, and can be stopped.`,
  );
  const stop = el('button', { type: 'button', hidden: true }, 'Stop looking');
  const look = button('Look for services on my network', async () => {
    const stopping = new AbortController();
    const onStop = () => stopLooking(stopping);
    stop.addEventListener('click', onStop);
    stop.hidden = false;
    said.textContent = `Looking. This takes ${takes}.`;
    try {
      await lookInto({ list, said, signal: stopping.signal });
    } finally {
      stop.removeEventListener('click', onStop);
      handFocus(stop, look, () => {
        stop.hidden = true;
      });
    }
  });
  return el(
    'section',
    {},
    el('h2', {}, 'Find what you have'),
    said,
    el('div', { class: 'buttons' }, look, stop),
    list,
  );
}

/** The TV stops, and tells what it still held back; only where it does not hear that is its answer no longer waited for. */
async function stopLooking(stopping) {
  try {
    await send('/api/discover/stop', {});
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    stopping.abort();
  }
}

async function lookInto({ list, said, signal }) {
  list.querySelector('.note')?.remove();
  const before = new Map([...list.children].map((each) => [each.dataset.url, each]));
  let end = 'broken';
  const take = (line) => {
    if (line.end !== undefined) end = line.end;
    else {
      const found = row(line);
      const known = before.get(line.url);
      // Where it stands already, somebody may be about to press it.
      if (known?.textContent !== found.textContent) {
        known?.remove();
        list.append(found);
      }
      before.delete(line.url);
      list.hidden = false;
    }
  };
  try {
    await sendForLines('/api/discover', {}, take, signal);
    if (signal.aborted) end = 'stopped';
    // What was not found again is not there any more.
    if (end === 'whole') for (const gone of before.values()) gone.remove();
    said.textContent = `${ENDS[end]} ${inWords(list.children.length)}`.trim();
    list.hidden = list.children.length === 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said.textContent = '';
    list.hidden = false;
    list.replaceChildren(failureNote(error.told));
  }
}

const ENDS = {
  whole: '',
  stopped: 'Stopped.',
  broken: 'The search was broken off. Try it again.',
};

const inWords = (count) =>
  count === 0
    ? 'Nothing was found at the usual ports. Enter the address of your service below.'
    : `Found ${count === 1 ? 'one service' : `${count} services`}.`;

function row({ service, url, label, isPage = false }) {
  const take = el('button', { type: 'button', class: 'side', 'aria-label': `Use ${label} at ${url}` }, 'Use');
  take.addEventListener('click', () => use(service, isPage ? undefined : url));
  const place = isPage ? copyFrom(url) : el('p', {}, url);
  return el('div', { class: 'found', 'data-url': url }, el('div', {}, el('strong', {}, label), place), take);
}

/** The page at which the person finds the address. What the TV finds in itself is not in the phone. */
function copyFrom(url) {
  const href = url.replace('//127.0.0.1:', `//${location.hostname}:`);
  const link = el('a', { href, target: '_blank', rel: 'noreferrer' }, href);
  return el('p', {}, 'Its address holds your key. Copy it at ', link, '.');
}
