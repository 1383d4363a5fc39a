import { basename } from 'node:path';
import type { Host, ServiceHost } from '../../host/port.ts';
import type { Logger } from '../../log/index.ts';
import type { SetupContext } from '../action.ts';
import { FORMS, type Form } from './forms.ts';
import {
  backupOf,
  type Installed,
  install,
  isOverridden,
  keepBackup,
  lookInto,
  remove,
} from './installed.ts';
import { findPlace, type Place, TMDBHELPER } from './place.ts';
import * as words from './words.ts';

/**
 * Lets the person put Slipstream among the players of TMDbHelper, in either form, change that, or take it away. What
 * they have changed in the file is never lost: they are asked, and a copy is kept. @throws STORE_FAILED
 */
export async function runPlayerFile({ host, signal }: SetupContext): Promise<void> {
  const { addons, questions } = host;
  const say = (text: string) => questions.show({ title: words.TITLE, text }, signal);
  if (addons === undefined) return say(words.noAddons);
  if (!(await addons.isInstalled(TMDBHELPER))) return say(words.notInstalled);
  const place = await findPlace(addons);
  for (;;) {
    const installed = await lookInto(place);
    const chosen = await questions.choose(words.menu(installed), signal);
    if (chosen === undefined) return;
    const form = FORMS.find((each) => each === chosen);
    if (chosen === 'explain') await say(words.explanation);
    else if (await mayReplace(installed, form, { host, signal, place }))
      return say(await carryOut(form, installed, place));
  }
}

interface Asking {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly place: Place;
}

/** Asks when the file is not as we left it. */
async function mayReplace(
  installed: Installed,
  form: Form | undefined,
  { host, signal, place }: Asking,
): Promise<boolean> {
  if (installed.kind !== 'changed') return true;
  const backup = basename(backupOf(place.path));
  const question = form === undefined ? words.removeChanged(backup) : words.replaceChanged(backup);
  return (await host.questions.confirm(question, signal)) === true;
}

/** @param form Undefined: none. @returns what to tell the person */
async function carryOut(form: Form | undefined, installed: Installed, place: Place): Promise<string> {
  if (installed.kind === 'changed') await keepBackup(place);
  await (form === undefined ? remove(place) : install(form, place));
  const told = form === undefined ? words.removed : words.done(form);
  return (await isOverridden(place)) ? `${told}\n\n${words.overridden(place.override)}` : told;
}

/**
 * Brings a file that an older version of ours has installed, and nobody has changed, up to this version's. Everything
 * else is left as it is. Never rejects: whoever calls has something else to do.
 */
export async function updatePlayerFile({ addons }: Pick<ServiceHost, 'addons'>, log: Logger): Promise<void> {
  try {
    if (addons === undefined) return;
    const place = await findPlace(addons);
    const installed = await lookInto(place);
    if (installed.kind !== 'ours' || installed.isCurrent) return;
    await install(installed.form, place);
    log.info('the player file in TMDbHelper was brought up to date');
  } catch (error) {
    log.warning(`the player file in TMDbHelper could not be brought up to date: ${String(error)}`);
  }
}
