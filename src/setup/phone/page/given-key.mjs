// The key that a service gives to whoever asks in the TV's network. The TV takes it: it does not come to the phone.

import { send } from './api.mjs';
import { addressOf, enteredValues, isFilled, saved, valueOf } from './state.mjs';

/** Whether to offer it: there is an address, there is no key, and the TV is given one. @throws Refused */
export async function isOffered(service) {
  const { id, givenKey } = service;
  const address = valueOf(addressOf(service));
  if (givenKey === undefined || address === '' || isFilled(givenKey.setting)) return false;
  const { isGiven } = await send('/api/key', { service: id, values: enteredValues() });
  // Something else may have been entered meanwhile.
  return isGiven && valueOf(addressOf(service)) === address && !isFilled(givenKey.setting);
}

/** Has the TV store it, with the address that it is for. @throws Refused */
export async function take(service) {
  const values = enteredValues();
  await send('/api/key/take', { service: service.id, values });
  const own = service.fields.map(({ setting }) => setting).filter((id) => id in values);
  // Of a key no more is known here than that there is one.
  saved({ ...Object.fromEntries(own.map((id) => [id, values[id]])), [service.givenKey.setting]: 'taken' });
}
