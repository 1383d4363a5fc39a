import type { Properties } from '../host/port.ts';
import { isRunning } from '../io/process.ts';
import { PROPERTY } from './properties.ts';

/** The process that sets a stream up, by its id: svc.active does not tell who has raised it. */
const SETTING_UP = 'slipstream.setting-up';

/**
 * Raises svc.active while `work` sets a stream up; it stays for as long as the stream that came of it is announced. What
 * cannot be lowered here, because the media centre or this process ends, the service lowers.
 */
export async function whileSettingUp<T>(properties: Properties, work: () => Promise<T>): Promise<T> {
  const own = String(process.pid);
  await properties.set(SETTING_UP, own);
  await properties.set(PROPERTY.active, 'true');
  try {
    return await work();
  } finally {
    await endSettingUp(own, properties).catch(() => undefined);
  }
}

async function endSettingUp(own: string, properties: Properties): Promise<void> {
  if ((await properties.get(SETTING_UP)) === own) await properties.clear(SETTING_UP);
  await lowerActive(properties);
}

/** Lowers svc.active where no stream is announced, and no process that runs sets one up. To be called now and then. */
export async function lowerActive(properties: Properties): Promise<void> {
  if ((await properties.get(PROPERTY.active)) === '') return;
  const holder = await properties.get(SETTING_UP);
  if (await isNeeded(properties)) return;
  // A play may begin between any two steps, and raises both.
  if ((await properties.get(SETTING_UP)) === holder) await properties.clear(SETTING_UP);
  await properties.clear(PROPERTY.active);
  if (await isNeeded(properties)) await properties.set(PROPERTY.active, 'true');
}

/** Whether a process that runs sets a stream up. */
export const isSettingUp = async (properties: Properties): Promise<boolean> =>
  isLive(await properties.get(SETTING_UP));

/** Whether another process than this sets a stream up. */
export async function isSettingUpElsewhere(properties: Properties): Promise<boolean> {
  const holder = await properties.get(SETTING_UP);
  return holder !== String(process.pid) && isLive(holder);
}

/** Whether a stream is announced, or a process that runs sets one up. */
async function isNeeded(properties: Properties): Promise<boolean> {
  return (await properties.get(PROPERTY.streamUrl)) !== '' || isSettingUp(properties);
}

const isLive = (holder: string): boolean => /^[1-9]\d*$/.test(holder) && isRunning(Number(holder));
