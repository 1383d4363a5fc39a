// The set-up has ended on the TV: what was entered stays in view, and goes on with a new code.

import { Refused } from './api.mjs';
import { fillBar } from './bar.mjs';
import { codeBox, onEnter } from './code.mjs';
import { button, el, failureNote, put } from './dom.mjs';
import { changes } from './state.mjs';

/** Says what has ended, and asks for another code. `goOn` takes it. @throws Refused */
export function showAgain({ what }, goOn) {
  const refused = el('div');
  const kept = el('span');
  const code = codeBox();
  const enterCode = async () => {
    refused.replaceChildren();
    try {
      await goOn(code.value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.replaceChildren(failureNote(error.told));
    }
    code.select();
  };
  fillBar({
    told: [
      el('p', { class: 'said', role: 'alert' }, el('strong', {}, what), kept),
      el(
        'p',
        { class: 'said' },
        `To go on, open the set-up on the TV again and enter its new code here. Where the TV shows another address than ${location.host}, open that one instead.`,
      ),
      refused,
    ],
    pressed: el('div', { class: 'again' }, code, onEnter(code, button('Go on', enterCode, 'main'))),
    // An alert is read out as a whole whenever it is written.
    update: () =>
      put(
        kept,
        changes() > 0 ? ' What you entered is still here, and is not saved yet.' : ' What you saved is kept.',
      ),
    next: code,
  });
}
