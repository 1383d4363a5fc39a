import { Refused, send } from './api.mjs';
import { button, el, failureNote, newId } from './dom.mjs';
import { checkList } from './services.mjs';

const KINDS = [
  ['newznab', 'Indexer (Newznab)'],
  ['hydra', 'NZBHydra2'],
  ['prowlarr', 'Prowlarr'],
  ['stremio', 'Stremio add-on'],
];

/** The list of further places to search. Each is saved for itself, at once. */
export function sourcesSection(told) {
  const list = el('div');
  const show = (sources) => {
    list.replaceChildren(
      ...sources.map((source, index) => card({ source, index, show })),
      card({ source: { kind: 'newznab', name: '', url: '', enabled: true }, show }),
    );
  };
  show(told);
  return el(
    'section',
    {},
    el('h2', {}, 'More places to search'),
    el('p', { class: 'lead' }, 'As many further indexers as you like.'),
    list,
  );
}

function card({ source, index, show }) {
  const isNew = index === undefined;
  const form = formOf(source);
  const said = el('div', { role: 'status' });
  const attempt = async (act) => {
    said.replaceChildren();
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.replaceChildren(failureNote(error.told));
    }
  };
  const entry = () => ({ ...form.value(), ...(!isNew && { index }) });
  const save = () =>
    attempt(async () => {
      show((await send('/api/sources', entry())).sources);
    });
  const test = () =>
    attempt(async () => {
      const { checks } = await send('/api/sources/test', entry());
      said.replaceChildren(checkList(checks));
    });
  const remove = () =>
    attempt(async () => {
      show((await send('/api/sources/remove', { index })).sources);
    });
  const buttons = el(
    'div',
    { class: 'buttons' },
    button(isNew ? 'Add' : 'Save', save, 'main'),
    button('Test', test),
    isNew ? undefined : button('Remove', remove, 'plain bad'),
  );
  const words = el(
    'div',
    { class: 'words' },
    el('h3', {}, isNew ? 'Add one' : source.name),
    source.problem === undefined ? undefined : el('p', {}, source.problem),
  );
  const badge = isNew
    ? undefined
    : el('span', { class: `badge ${source.enabled ? '' : 'quiet'}` }, source.enabled ? 'On' : 'Off');
  return el(
    'details',
    { class: 'card' },
    el('summary', {}, words, badge),
    el('div', { class: 'body' }, form.element, said, buttons),
  );
}

const PLAIN = { autocomplete: 'off', autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false' };

function formOf({ kind = 'newznab', name, url, hasUrl = false, hasKey = false, enabled }) {
  const kindBox = el(
    'select',
    {},
    KINDS.map(([value, label]) => el('option', { value }, label)),
  );
  kindBox.value = kind;
  const nameBox = el('input', { type: 'text', ...PLAIN, value: name });
  const urlBox = el('input', {
    ...PLAIN,
    type: 'text',
    inputmode: 'url',
    value: url ?? '',
    placeholder: hasUrl && url === undefined ? 'Stored' : 'https://',
  });
  const keyBox = el('input', {
    ...PLAIN,
    type: 'password',
    autocomplete: 'new-password',
    placeholder: hasKey ? 'Stored' : 'Paste it here',
  });
  const onBox = el('input', { type: 'checkbox', role: 'switch', checked: enabled });
  const keyField = labelled('Key', keyBox, 'From the profile page of the indexer.');
  const showKey = () => {
    keyField.hidden = kindBox.value === 'stremio';
  };
  kindBox.addEventListener('input', showKey);
  showKey();
  const id = newId();
  onBox.id = id;
  const onField = el(
    'div',
    { class: 'field' },
    el('div', { class: 'row' }, el('label', { for: id }, 'Is searched'), onBox),
  );
  return {
    element: el(
      'div',
      {},
      labelled('Kind', kindBox),
      labelled('Name', nameBox, 'How it is called in lists and messages.'),
      labelled('Address', urlBox, 'As it stands in your browser.'),
      keyField,
      onField,
    ),
    value: () => ({
      kind: kindBox.value,
      name: nameBox.value.trim(),
      enabled: onBox.checked,
      ...(urlBox.value.trim() !== '' && { url: urlBox.value.trim() }),
      ...(keyBox.value.trim() !== '' && { apiKey: keyBox.value.trim() }),
    }),
  };
}

function labelled(label, control, help) {
  control.id = newId();
  const about = help === undefined ? undefined : el('p', { class: 'help', id: newId() }, help);
  if (about !== undefined) control.setAttribute('aria-describedby', about.id);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: control.id }, label),
    el('div', { class: 'input' }, control),
    about,
  );
}
