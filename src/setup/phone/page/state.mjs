// What the TV has told, and what has been entered since.

/** Settings by id, as the TV shows them. */
const settings = new Map();
/** Entered and not saved yet, by id. */
const drafts = new Map();
const listeners = new Set();

export let services = [];

/** Takes over what the TV tells. */
export function load(told) {
  services = told.services;
  for (const setting of told.settings) settings.set(setting.id, setting);
  drafts.clear();
}

export const settingOf = (id) => settings.get(id);

/** Calls `update` now, and whenever something was entered or saved. */
export function watch(update) {
  listeners.add(update);
  update();
}

const tell = () => {
  for (const update of listeners) update();
};

/** Remembers what was entered; undefined takes it back. */
export function enter(id, value) {
  const setting = settings.get(id);
  if (value === undefined || (setting.isSet === undefined && value === setting.value)) drafts.delete(id);
  else drafts.set(id, value);
  tell();
}

export const enteredValues = () => Object.fromEntries(drafts);
export const isEntered = (id) => drafts.has(id);
export const changes = () => drafts.size;

/** What stands there now; undefined for what stays on the TV. */
export const valueOf = (id) => (drafts.has(id) ? drafts.get(id) : settings.get(id).value);

/** Whether there is something, also where it stays on the TV. */
export function isFilled(id) {
  const { isSet } = settings.get(id);
  return drafts.has(id) || isSet === undefined ? valueOf(id) !== '' : isSet;
}

/** Whether a condition of the settings' table holds. */
export function holds(condition) {
  if (condition === undefined || !settings.has(condition.setting)) return true;
  const { setting, is } = condition;
  return typeof is === 'object' ? isFilled(setting) : valueOf(setting) === is;
}

/** These values are saved now; what was entered while they were under way is not. */
export function saved(values) {
  for (const [id, value] of Object.entries(values)) {
    const setting = settings.get(id);
    if (setting.isSet === undefined) setting.value = value;
    else setting.isSet = value !== '';
    if (drafts.get(id) === value) drafts.delete(id);
  }
  tell();
}

export const isChosen = ({ chosenBy }) =>
  Object.entries(chosenBy).every(([id, value]) => valueOf(id) === value);

/** What a service cannot do without; nothing that is meant for another one which shares its fields. */
const needed = ({ fields, chosenBy: { playback_backend, ...shared } }) =>
  isChosen({ chosenBy: shared }) ? fields.filter(({ isOptional }) => !isOptional) : [];

/** Whether all of that is there, or some of it. */
export const isSetUp = (service) =>
  needed(service).length > 0 && needed(service).every(({ setting }) => isFilled(setting));
export const isBegun = (service) => needed(service).some(({ setting }) => isFilled(setting));
