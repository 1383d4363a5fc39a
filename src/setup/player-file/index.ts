import { basename } from 'node:path';
import type { OtherAddons, ServiceHost } from '../../host/port.ts';
import type { Logger } from '../../log/index.ts';
import type { SetupContext } from '../action.ts';
import { FORMS, type Form } from './form.ts';
import {
  backupOf,
  type InstalledPlayer,
  install,
  isOverridden,
  keepBackup,
  readInstalled,
  remove,
} from './installed.ts';
import { findPlayerFilePaths, type PlayerFilePaths, TMDBHELPER } from './paths.ts';
import * as words from './texts.ts';

const UP_NEXT = 'service.upnext';

/**
 * Lets the person put Slipstream among the players of TMDbHelper, in either form, change that, or take it away. What
 * they have changed in the file is never lost: they are asked, and a copy is kept. @throws STORE_FAILED
 */
export async function runPlayerFile({ host, signal }: SetupContext): Promise<void> {
  const { addons, questions } = host;
  const say = (text: string) => questions.show({ title: words.TITLE, text }, signal);
  if (addons === undefined) return say(words.noAddons);
  if (!(await addons.isInstalled(TMDBHELPER))) return say(words.notInstalled);
  const place = await findPlayerFilePaths(addons);
  for (;;) {
    const installed = await readInstalled(place);
    const chosen = await questions.choose(words.menu(installed), signal);
    if (chosen === undefined) return;
    if (chosen === 'explain') {
      await say(words.explanation);
      continue;
    }
    const wanted =
      chosen === 'resolvable' ? await chooseNextEpisodes(installed, addons, { host, signal }) : chosen;
    if (wanted === undefined) continue;
    const form = FORMS.find((each) => each === wanted);
    const backup = installed.kind === 'changed' ? await backupOf(place) : undefined;
    if (backup === undefined || (await mayReplace(form, backup, { host, signal })))
      return say(await applyForm(form, backup, place));
  }
}

/** What is to follow an episode; undefined: the person has gone back. */
async function chooseNextEpisodes(
  installed: InstalledPlayer,
  addons: OtherAddons,
  { host, signal }: Pick<SetupContext, 'host' | 'signal'>,
): Promise<string | undefined> {
  const hasUpNext = await addons.isInstalled(UP_NEXT);
  return await host.questions.choose(words.nextEpisodes(installed, hasUpNext), signal);
}

/** Asks, for the file is not as we left it. */
async function mayReplace(
  form: Form | undefined,
  backup: string,
  { host, signal }: Pick<SetupContext, 'host' | 'signal'>,
): Promise<boolean> {
  const name = basename(backup);
  const question = form === undefined ? words.removeChanged(name) : words.replaceChanged(name);
  return (await host.questions.confirm(question, signal)) === true;
}

/**
 * @param form Undefined: none.
 * @param backup Where what is there is kept; undefined: it is ours.
 * @returns what to tell the person
 */
async function applyForm(
  form: Form | undefined,
  backup: string | undefined,
  place: PlayerFilePaths,
): Promise<string> {
  if (backup !== undefined) await keepBackup(place, backup);
  await (form === undefined ? remove(place) : install(form, place));
  const told = form === undefined ? words.removedText : words.installedText(form);
  return (await isOverridden(place)) ? `${told}\n\n${words.overriddenText(place.override)}` : told;
}

/**
 * Brings a file that an older version of ours has installed, and nobody has changed, up to this version's. Everything
 * else is left as it is. Never rejects: whoever calls has something else to do.
 */
export async function updatePlayerFile({ addons }: Pick<ServiceHost, 'addons'>, log: Logger): Promise<void> {
  try {
    if (addons === undefined) return;
    const place = await findPlayerFilePaths(addons);
    const installed = await readInstalled(place);
    if (installed.kind !== 'ours' || installed.isCurrent) return;
    await install(installed.form, place);
    log.info('the player file in TMDbHelper was brought up to date');
  } catch (error) {
    log.warning(`the player file in TMDbHelper could not be brought up to date: ${String(error)}`);
  }
}
