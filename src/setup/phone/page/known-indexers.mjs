import { el, newId } from './dom.mjs';
import { indexers } from './state.mjs';

const OTHER = '';

/**
 * A field to choose an indexer by its name. `choose` hears of its {name, url}; of another one both are empty. `show`
 * takes the address that stands beside it.
 */
export function indexerField(choose) {
  const control = el(
    'select',
    { id: newId() },
    el('option', { value: OTHER }, 'Another one'),
    indexers.map(({ name, url }) => el('option', { value: url }, name)),
  );
  control.addEventListener('input', () => {
    choose(indexers.find(({ url }) => url === control.value) ?? { name: '', url: '' });
  });
  const show = (address) => {
    control.value = indexers.some(({ url }) => url === address) ? address : OTHER;
  };
  const element = el(
    'div',
    { class: 'field' },
    el('label', { for: control.id }, 'Which indexer'),
    el('div', { class: 'input' }, control),
    el('p', { class: 'help' }, 'A known one needs no more than your key.'),
  );
  return { element, control, show };
}
