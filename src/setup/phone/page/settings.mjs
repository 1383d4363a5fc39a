import { field } from './controls.mjs';
import { el } from './dom.mjs';
import { holds, services, settingOf, watch } from './state.mjs';

/** All settings that are not part of a service, page by page, as the TV orders them. */
export function settingsSection(pages) {
  const elsewhere = new Set(
    services.flatMap(({ fields, chosenBy }) => [
      ...fields.map(({ setting }) => setting),
      ...Object.keys(chosenBy),
    ]),
  );
  const cards = pages.map((page) => card(page, elsewhere)).filter((each) => each !== undefined);
  return el(
    'section',
    {},
    el('h2', {}, 'All settings'),
    el('p', { class: 'lead' }, 'Everything is set sensibly. Change what you like to have otherwise.'),
    ...cards,
  );
}

function card({ label, groups }, elsewhere) {
  const shown = groups
    .map((group) => ({ ...group, rows: group.rows.filter((id) => !elsewhere.has(id)) }))
    .filter(({ rows }) => rows.length > 0);
  if (shown.length === 0) return undefined;
  const boxes = shown.map(groupBox);
  const words = el('div', { class: 'words' }, el('h3', {}, label));
  const whole = el(
    'details',
    { class: 'card' },
    el('summary', {}, words),
    el('div', { class: 'body' }, ...boxes.map(({ element }) => element)),
  );
  watch(() => {
    whole.hidden = !boxes.some(({ applies }) => applies());
  });
  return whole;
}

/** Only what applies is shown. */
function groupBox({ label, shownWhen, rows }) {
  const fields = rows.map(settingOf).map((setting) => ({ setting, element: field(setting) }));
  const element = el('div', { class: 'group' }, el('h4', {}, label), ...fields.map((each) => each.element));
  const applies = () => holds(shownWhen) && fields.some(({ setting }) => holds(setting.shownWhen));
  watch(() => {
    element.hidden = !applies();
    for (const each of fields) each.element.hidden = !holds(each.setting.shownWhen);
  });
  return { element, applies };
}
