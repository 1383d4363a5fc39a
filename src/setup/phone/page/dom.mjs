// Elements, made without any HTML text: what comes from outside can only ever be text.

let lastId = 0;

/** An id for labels and descriptions to point at. */
export const newId = () => `e${++lastId}`;

/**
 * An element. `on…` are listeners, `class` and `aria-…` attributes; true and false set or leave out an attribute.
 * Children that are undefined are left out.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') element[name] = value;
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** Writes a text: what is written anew is read out anew, so only where it is another one. */
export function put(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** Changes what is seen. Where that takes `part` away with the focus in it, the focus goes to `next`, and not to the top. */
export function handFocus(part, next, change) {
  const hadFocus = part.contains(document.activeElement);
  change();
  if (hadFocus) next.focus();
}

/** A button that does nothing more while what it does is under way, nor while it is out of use (`aria-disabled`). */
export function button(label, act, kind = '') {
  const element = el('button', { type: 'button', class: kind }, el('span', {}, label));
  element.addEventListener('click', async () => {
    if (element.ariaBusy === 'true' || element.ariaDisabled === 'true') return;
    const spinner = el('span', { class: 'spinner', 'aria-hidden': 'true' });
    element.ariaBusy = 'true';
    element.prepend(spinner);
    try {
      await act();
    } finally {
      spinner.remove();
      element.ariaBusy = 'false';
    }
  });
  return element;
}

/** Gives such a button another label; what shows that it is at work stays. */
export const relabel = (element, words) => put(element.lastChild, words);

/** A button, and one beside it that stops what the first has begun: `act` gets the signal. */
export function stoppable(label, act, kind) {
  let stopping;
  const stop = el(
    'button',
    { type: 'button', hidden: true, onclick: () => stopping.abort() },
    'Stop the test',
  );
  const start = button(
    label,
    async () => {
      stopping = new AbortController();
      stop.hidden = false;
      try {
        await act(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      } finally {
        handFocus(stop, start, () => {
          stop.hidden = true;
        });
      }
    },
    kind,
  );
  return [start, stop];
}

/** A place that tells what came of something, also to who only hears the page: politely, or at once what failed. */
export function teller() {
  const said = el('div', { role: 'status' });
  const failed = el('div');
  const say = (...what) => {
    failed.replaceChildren();
    said.replaceChildren(...what);
  };
  const fail = (told) => {
    said.replaceChildren();
    failed.replaceChildren(failureNote(told));
  };
  return { element: el('div', {}, said, failed), say, fail };
}

/** What failed and what to do, in a box; it is read out as it appears. */
export const failureNote = ({ what, next }) =>
  el('div', { class: 'note bad', role: 'alert' }, el('strong', {}, what), next);
