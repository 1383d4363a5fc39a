import { el, newId } from './dom.mjs';
import { enter, isEntered, isFilled, settingOf, valueOf, watch } from './state.mjs';

/** What marks the fields of a setting as wrong; services may share one. */
const marks = [];

/** Says at the field of a setting what is wrong with it, opens what it is in, and goes there. */
export function markWrong(id, words, within = document.body) {
  marks.find((each) => each.id === id && within.contains(each.control))?.mark(words);
}

/** Takes the marks within a card away. */
export function clearMarks(within) {
  for (const { control, mark } of marks) if (within.contains(control)) mark(undefined);
}

/** A field for a setting of the table: label, control, help, and what is wrong with it. */
export function field(setting, { isOptional = false } = {}) {
  const ids = { control: newId(), help: newId(), wrong: newId() };
  const { control, around = control, isSwitch = false } = make(setting);
  control.id = ids.control;
  control.setAttribute('aria-describedby', `${ids.help} ${ids.wrong}`);
  const label = el(
    'label',
    { for: ids.control },
    setting.label,
    isOptional ? el('span', { class: 'optional' }, ' · optional') : undefined,
  );
  const wrong = el('p', { class: 'wrong', id: ids.wrong, hidden: true });
  const mark = (words) => {
    wrong.hidden = words === undefined;
    wrong.textContent = words ?? '';
    if (words === undefined) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
    if (words === undefined) return;
    for (let box = control.closest('details'); box; box = box.parentElement.closest('details'))
      box.open = true;
    control.focus({ preventScroll: true });
    control.scrollIntoView({ block: 'center' });
  };
  marks.push({ id: setting.id, control, mark });
  control.addEventListener('input', () => mark(undefined));
  const help = el('p', { class: 'help', id: ids.help }, setting.help);
  const parts = isSwitch ? [el('div', { class: 'row' }, label, control)] : [label, around];
  return el('div', { class: 'field' }, ...parts, wrong, help);
}

const MAKERS = { text, integer, boolean, choice };
const make = (setting) => (setting.isSet === undefined ? MAKERS[setting.type](setting) : secret(setting));

const PLAIN = { autocomplete: 'off', autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false' };

function text({ id }) {
  const isAddress = /_url$/.test(id);
  const control = el('input', { type: 'text', ...PLAIN, ...(isAddress && { inputmode: 'url' }) });
  control.addEventListener('input', () => enter(id, control.value.trim()));
  keep(control, () => valueOf(id));
  return { control, around: el('div', { class: 'input' }, control) };
}

function integer({ id, min, max }) {
  const control = el('input', { type: 'number', inputmode: 'numeric', step: '1', min, max });
  control.addEventListener('input', () => {
    const value = control.valueAsNumber;
    enter(id, Number.isNaN(value) ? undefined : value);
  });
  keep(control, () => String(valueOf(id)));
  return { control, around: el('div', { class: 'input' }, control) };
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
  return { control, around: el('div', { class: 'input' }, control) };
}

/** Shows what stands there, but never under the fingers of whoever types. */
function keep(control, value) {
  watch(() => {
    if (document.activeElement !== control && control.value !== value()) control.value = value();
  });
}

/** A value that the TV keeps to itself: it can be replaced or removed. */
function secret({ id }) {
  const control = el('input', { type: 'password', ...PLAIN, autocomplete: 'new-password' });
  const eye = el('button', { type: 'button', class: 'side', 'aria-pressed': 'false' }, 'Show');
  const remove = el('button', { type: 'button', class: 'side plain bad' }, 'Remove');
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
    remove.textContent = isRemoved ? 'Keep' : 'Remove';
    control.placeholder = isRemoved ? 'Will be removed' : isFilled(id) ? 'Stored' : 'Paste it here';
  });
  return { control, around: el('div', { class: 'input' }, control, eye, remove) };
}
