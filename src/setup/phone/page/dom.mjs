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

/** A button that does nothing more while what it does is under way. */
export function button(label, act, kind = '') {
  const element = el('button', { type: 'button', class: kind }, label);
  element.addEventListener('click', async () => {
    if (element.ariaBusy === 'true') return;
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

/** What failed and what to do, in a box. */
export const failureNote = ({ what, next }) =>
  el('div', { class: 'note bad', role: 'alert' }, el('strong', {}, what), next);
