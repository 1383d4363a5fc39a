import { el, newId, put } from './dom.mjs';

/**
 * A control with its label, its help, and what is wrong with it: whoever comes to the control hears that with its name.
 * Gives the element, and `mark`, which says what is wrong, with a button that mends it if there is one.
 */
export function fieldBox({
  label,
  control,
  around = el('div', { class: 'input' }, control),
  help = '',
  isSwitch = false,
  isOptional = false,
}) {
  control.id = newId();
  const wrong = el('p', { class: 'wrong', id: newId(), hidden: true });
  const mend = el('div', { class: 'mend', hidden: true });
  const here = control.inputMode === 'url' ? ownDeviceNote(control) : undefined;
  const about = el('p', { class: 'help', id: newId() }, help);
  control.setAttribute('aria-describedby', [wrong, here, about].flatMap((each) => each?.id ?? []).join(' '));
  const name = el(
    'label',
    { for: control.id },
    label,
    isOptional ? el('span', { class: 'optional' }, ' · optional') : undefined,
  );
  const mark = (words, button) => {
    wrong.hidden = words === undefined;
    wrong.textContent = words ?? '';
    mend.hidden = button === undefined;
    mend.replaceChildren(...(button === undefined ? [] : [button]));
    if (words === undefined) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
  };
  control.addEventListener('input', () => mark(undefined));
  const parts = isSwitch ? [el('div', { class: 'row' }, name, control)] : [name, around];
  return { element: el('div', { class: 'field' }, ...parts, wrong, mend, here, about), mark };
}

/** Opens what a control is in, and goes there. */
export function goTo(control) {
  for (let box = control.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: 'center' });
}

/** What a control hears when the page has put a text into it. */
export const FILLED = 'filled';

/** Of an input whose text no keyboard is to improve: an address, a key, a name. */
export const PLAIN = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: 'false',
};

const OWN = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** The host of an address if it is the device that asks, as the TV reads it; its scheme may be missing. */
function ownHost(address) {
  const whole = address.includes('://') ? address : `http://${address}`;
  const { hostname = '' } = URL.canParse(whole) ? new URL(whole) : {};
  return OWN.test(hostname) ? hostname : undefined;
}

/** Whoever types "localhost" on a phone may mean another device than the one that reads it. */
function ownDeviceNote(control) {
  const note = el('p', { class: 'here', id: newId(), role: 'status' });
  const look = () => {
    const host = ownHost(control.value.trim());
    const words =
      host === undefined
        ? ''
        : `“${host}” is the TV itself, the device that Slipstream runs on. A server on another device has another address.`;
    put(note, words);
  };
  for (const kind of ['input', FILLED]) control.addEventListener(kind, look);
  look();
  return note;
}
