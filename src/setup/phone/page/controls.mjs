import { el } from './dom.mjs';
import { FILLED, fieldBox, goTo, PLAIN } from './field-box.mjs';
import { enter, isEntered, isFilled, settingOf, valueOf, watch } from './state.mjs';

/** What marks the fields of a setting as wrong; services may share one. */
const marks = [];

/** The control of a setting within an element, in the card that is open where there are several; undefined: none. */
export const controlOf = (id, within) => markOf(id, within)?.control;

function markOf(id, within) {
  const own = marks.filter((each) => each.id === id && within.contains(each.control));
  return own.find(({ control }) => control.closest('details[open]')) ?? own[0];
}

/**
 * Says at the field of a setting what is wrong with it, and goes there unless that is for later. Gives whether there is
 * one.
 */
export function markWrong(id, words, { within = document.body, mend, goes = true } = {}) {
  const found = markOf(id, within);
  if (found === undefined) return false;
  found.mark(words, mend);
  if (goes) goTo(found.control);
  return true;
}

/** Takes the marks within a card away. */
export function clearMarks(within) {
  for (const { control, mark } of marks) if (within.contains(control)) mark(undefined);
}

/** A field for a setting of the table. Optional is only what may be empty: what is not has a value to begin with. */
export function field(setting, { isOptional = false } = {}) {
  const made = make(setting);
  const { id, label, help } = setting;
  const box = fieldBox({ ...made, label, help, isOptional: isOptional && setting.default === '' });
  marks.push({ id, control: made.control, mark: box.mark });
  return box.element;
}

const MAKERS = { text, integer, boolean, choice };
const make = (setting) => (setting.isSet === undefined ? MAKERS[setting.type](setting) : secret(setting));

function text({ id, default: usual }) {
  const isAddress = /_url$/.test(id);
  const control = el('input', { type: 'text', ...PLAIN, ...(isAddress && { inputmode: 'url' }) });
  // Nothing stands for what is usual.
  control.addEventListener('input', () => enter(id, control.value.trim() || usual));
  keep(control, () => valueOf(id));
  watch(() => {
    // One that holds a login stays on the TV.
    control.placeholder = valueOf(id) === undefined && isFilled(id) ? 'Stored' : '';
  });
  return { control };
}

function integer({ id, min, max, default: usual }) {
  const control = el('input', { type: 'number', inputmode: 'numeric', step: '1', min, max });
  control.addEventListener('input', () => {
    const value = control.valueAsNumber;
    enter(id, control.validity.badInput ? undefined : Number.isNaN(value) ? usual : value);
  });
  keep(control, () => String(valueOf(id)));
  return { control };
}

function boolean({ id }) {
  const control = el('input', { type: 'checkbox', role: 'switch' });
  control.addEventListener('input', () => enter(id, control.checked));
  watch(() => {
    control.checked = valueOf(id);
  });
  return { control, isSwitch: true };
}

function choice({ id, options }) {
  const control = el(
    'select',
    {},
    options.map(({ value, label }) => el('option', { value }, label)),
  );
  control.addEventListener('input', () => enter(id, control.value));
  keep(control, () => valueOf(id));
  return { control };
}

/** Shows what stands there, but never under the fingers of whoever types. */
function keep(control, value) {
  const show = () => {
    const shown = value() ?? '';
    if (document.activeElement === control || control.value === shown) return;
    control.value = shown;
    control.dispatchEvent(new Event(FILLED));
  };
  watch(show);
  control.addEventListener('blur', show);
}

/** A value that the TV keeps to itself: it can be replaced or removed. */
function secret({ id, label }) {
  const control = el('input', { type: 'password', ...PLAIN, autocomplete: 'new-password' });
  const eye = el('button', { type: 'button', class: 'side', 'aria-pressed': 'false' }, 'Show');
  const remove = el('button', { type: 'button', class: 'side plain bad' }, 'Remove');
  const name = (words) => {
    remove.textContent = words;
    remove.setAttribute('aria-label', `${words} ${label}`);
  };
  eye.addEventListener('click', () => {
    const isShown = control.type === 'text';
    control.type = isShown ? 'password' : 'text';
    eye.textContent = isShown ? 'Show' : 'Hide';
    eye.setAttribute('aria-pressed', String(!isShown));
  });
  control.addEventListener('input', () => enter(id, control.value.trim() || undefined));
  remove.addEventListener('click', () => {
    enter(id, isEntered(id) && valueOf(id) === '' ? undefined : '');
  });
  watch(() => {
    const isTyped = isEntered(id) && valueOf(id) !== '';
    const isRemoved = isEntered(id) && !isTyped;
    if (!isTyped && document.activeElement !== control) control.value = '';
    eye.hidden = !isTyped;
    remove.hidden = isTyped || !(settingOf(id).isSet || isRemoved);
    name(isRemoved ? 'Keep' : 'Remove');
    control.placeholder = isRemoved ? 'Will be removed' : isFilled(id) ? 'Stored' : 'Paste it here';
  });
  return { control, around: el('div', { class: 'input' }, control, eye, remove) };
}
