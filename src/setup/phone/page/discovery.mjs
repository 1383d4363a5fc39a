import { Refused, sendForLines } from './api.mjs';
import { button, el, failureNote } from './dom.mjs';
import { use } from './services.mjs';

/** Looks for services on the network when asked to, and lists them as they are found. */
export function discoverySection() {
  const list = el('div', { class: 'card', hidden: true });
  const said = el(
    'p',
    { class: 'lead', role: 'status' },
    'Looks for Prowlarr, NZBHydra2, nzbdav and others near the TV.',
  );
  const look = button('Look for services on my network', () => lookInto(list, said));
  return el(
    'section',
    {},
    el('h2', {}, 'Find what you have'),
    said,
    el('div', { class: 'buttons' }, look),
    list,
  );
}

async function lookInto(list, said) {
  list.replaceChildren();
  list.hidden = true;
  said.textContent = 'Looking. This takes about twenty seconds.';
  let count = 0;
  let isWhole = false;
  try {
    await sendForLines('/api/discover', {}, (line) => {
      if (line.end) isWhole = true;
      else {
        count++;
        list.hidden = false;
        list.append(row(line));
      }
    });
    if (!isWhole) said.textContent = 'The search was broken off. Try it again.';
    else if (count > 0) said.textContent = `Found ${count === 1 ? 'one service' : `${count} services`}.`;
    else said.textContent = 'Nothing was found at the usual ports. Enter the address of your service below.';
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    said.textContent = '';
    list.hidden = false;
    list.replaceChildren(failureNote(error.told));
  }
}

function row({ service, url, label }) {
  const take = el('button', { type: 'button', class: 'side', 'aria-label': `Use ${label} at ${url}` }, 'Use');
  take.addEventListener('click', () => use(service, url));
  return el('div', { class: 'found' }, el('div', {}, el('strong', {}, label), el('p', {}, url)), take);
}
