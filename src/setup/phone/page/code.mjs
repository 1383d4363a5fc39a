// The code that stands on the TV.

import { el } from './dom.mjs';

/** The code as the TV wants it, however it was typed. */
export const codeIn = (text) => text.replace(/\s/g, '');

export const codeBox = () =>
  el('input', {
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    maxlength: '7',
    'aria-label': 'Code',
    placeholder: '000000',
  });

/** The button that Enter in the box presses. */
export function onEnter(box, go) {
  box.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') go.click();
  });
  return go;
}
