import { el } from './dom.mjs';
import { FILLED, fieldBox, goTo, PLAIN } from './field-box.mjs';
import { indexerField } from './known-indexers.mjs';

const KINDS = [
  ['newznab', 'Indexer (Newznab)'],
  ['hydra', 'NZBHydra2'],
  ['prowlarr', 'Prowlarr'],
  ['stremio', 'Stremio add-on'],
];

/** The fields of an entry of the list, in the order in which the services above ask for theirs. */
export function sourceForm({ kind = 'newznab', name, url, hasUrl = false, hasKey = false, enabled }) {
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
  const setUrl = (address) => {
    urlBox.value = address;
    urlBox.dispatchEvent(new Event(FILLED));
  };
  const known = indexerField((indexer) => {
    nameBox.value = indexer.name;
    setUrl(indexer.url);
    fields.url.mark(undefined);
  });
  const fields = {
    url: fieldBox({ label: 'Address', control: urlBox, help: 'As it stands in your browser.' }),
    apiKey: fieldBox({ label: 'Key', control: keyBox, help: 'From the profile page of the indexer.' }),
    name: fieldBox({
      label: 'Name',
      control: nameBox,
      help: 'How it is called in lists and messages. Empty: as its host.',
      isOptional: true,
    }),
  };
  const boxes = { url: urlBox, apiKey: keyBox, name: nameBox };
  const show = () => {
    fields.apiKey.element.hidden = kindBox.value === 'stremio';
    known.element.hidden = kindBox.value !== 'newznab';
    known.show(urlBox.value);
  };
  for (const box of [kindBox, urlBox]) box.addEventListener('input', show);
  show();
  return {
    element: el(
      'div',
      {},
      fieldBox({ label: 'Kind', control: kindBox }).element,
      known.element,
      ...Object.values(fields).map(({ element }) => element),
      fieldBox({ label: 'Is searched', control: onBox, isSwitch: true }).element,
    ),
    value: () => ({
      kind: kindBox.value,
      name: nameBox.value.trim(),
      enabled: onBox.checked,
      ...(urlBox.value.trim() !== '' && { url: urlBox.value.trim() }),
      ...(keyBox.value.trim() !== '' && { apiKey: keyBox.value.trim() }),
    }),
    fill: (draft) => {
      kindBox.value = draft.kind;
      nameBox.value = draft.name;
      setUrl(draft.url ?? '');
      keyBox.value = draft.apiKey ?? '';
      onBox.checked = draft.enabled;
      show();
    },
    lock: (isLocked) => {
      for (const control of [kindBox, known.control, nameBox, urlBox, keyBox, onBox])
        control.disabled = isLocked;
    },
    clear: () => {
      for (const field of Object.values(fields)) field.mark(undefined);
    },
    /** Takes an address over as if it had been typed. */
    use: (address) => {
      setUrl(address);
      urlBox.dispatchEvent(new Event('input', { bubbles: true }));
    },
    hasKey: () => hasKey || keyBox.value.trim() !== '',
    /** Says at a field what is wrong with it, and goes there unless that is for later. Gives its name. */
    mark: (field, words, { goes, mend } = {}) => {
      fields[field].mark(words, mend);
      if (goes) goTo(boxes[field]);
      return boxes[field].labels[0].firstChild.textContent;
    },
  };
}
