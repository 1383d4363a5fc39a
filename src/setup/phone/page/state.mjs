// What the TV has told, and what has been entered since.

/** Settings by id, as the TV shows them. */
const settings = new Map();
/** Entered and not saved yet, by id. */
const drafts = new Map();
const listeners = new Set();
/** What is entered elsewhere and saved by other means: {count, save, resume}. */
let others = [];
/** Settings that were saved since the page was opened. */
const savedIds = new Set();
let storedTimes = 0;

export let services = [];
/** Indexers that people know by their names: {name, url}. */
export let indexers = [];

/** Takes over what the TV tells. */
export function load(told) {
  ({ services, indexers } = told);
  // Whatever was to be kept up to date belonged to another set-up.
  listeners.clear();
  for (const setting of told.settings) settings.set(setting.id, setting);
  drafts.clear();
  savedIds.clear();
  others = [];
}

/** Takes over what another set-up tells, and keeps what was entered and not saved. */
export function resume(told) {
  for (const setting of told.settings) settings.set(setting.id, setting);
  for (const { resume } of others) resume(told);
  tell();
}

export const settingOf = (id) => settings.get(id);

/** Calls `update` now, and whenever something was entered or saved, until what it gives is called. */
export function watch(update) {
  listeners.add(update);
  update();
  return () => listeners.delete(update);
}

export const alsoCount = (other) => others.push(other);

/** To be called when something was entered, or saved, that is counted elsewhere. */
export const tell = () => {
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
export const changes = () => others.reduce((sum, { count }) => sum + count(), drafts.size);
export const wasSaved = (id) => savedIds.has(id);

/** How often the TV has stored something: what was tested before that was something else. */
export const timesStored = () => storedTimes;

/** To be called when it has. */
export function noteStored() {
  storedTimes++;
  tell();
}

/** Saves what is counted elsewhere. @throws Refused */
export async function saveOthers() {
  for (const { save } of others) await save();
}

/** What stands there now; undefined for what stays on the TV. */
export const valueOf = (id) => (drafts.has(id) ? drafts.get(id) : settings.get(id).value);

/** Whether there is something, also where it stays on the TV. */
export function isFilled(id) {
  const { isSet } = settings.get(id);
  // An empty field of what has a default is that.
  return drafts.has(id) || isSet === undefined ? (valueOf(id) || settings.get(id).default) !== '' : isSet;
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
    savedIds.add(id);
    if (setting.isSet === undefined) setting.value = value;
    else setting.isSet = value !== '';
    if (drafts.get(id) === value) drafts.delete(id);
  }
  noteStored();
}

export const isChosen = ({ chosenBy }) =>
  Object.entries(chosenBy).every(([id, value]) => valueOf(id) === value);

/** What a service cannot do without; nothing that is meant for another one which shares its fields. */
const needed = ({ fields, chosenBy: { playback_backend, ...shared } }) =>
  isChosen({ chosenBy: shared }) ? fields.filter(({ isOptional }) => !isOptional) : [];

/** Whether all of that is there. */
export const isSetUp = (service) =>
  needed(service).length > 0 && needed(service).every(({ setting }) => isFilled(setting));

/** Whether somebody has entered some of it: what a setting begins with nobody has. */
export const isBegun = (service) =>
  needed(service).some(
    ({ setting }) => isFilled(setting) && valueOf(setting) !== settings.get(setting).default,
  );

/** The setting that holds where a service is; undefined: it is always at the same place. */
export const addressOf = ({ fields }) => fields.find(({ setting }) => /_url$/.test(setting))?.setting;
