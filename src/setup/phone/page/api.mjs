// Talks to the TV. The token stays in this tab: a cookie would also go to whatever else runs at the same address.

const KEY = 'slipstream-token';

/** What the TV has refused, in words: {code, what, next, setting?}. */
export class Refused extends Error {
  constructor(told) {
    super(told.what);
    this.told = told;
  }
}

const ENDED = {
  code: 'ENDED',
  what: 'The TV does not answer any more.',
  next: 'The set-up there has ended. Open it again on the TV, and scan the new code.',
};

const MISSED = { code: 'MISSED', what: 'That did not get through to the TV.', next: 'Try it again.' };

/** A phone that slept, or changed its network, loses a connection without any end of the set-up. */
const isThere = () =>
  fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** Exchanges the code on the TV for a session. @throws Refused */
export async function pair(code) {
  const { token } = await send('/api/session', { code });
  sessionStorage.setItem(KEY, token);
}

export const isPaired = () => sessionStorage.getItem(KEY) !== null;

export const forget = () => sessionStorage.removeItem(KEY);

/** Asks the TV, and gives its answer. Without a body it is only a question. @throws Refused */
export const send = async (path, body) => (await answerOf(path, body)).json();

/** Gives each line of an answer as soon as it is there, also of one that is broken off. @throws Refused */
export async function sendForLines(path, body, onLine) {
  const reader = (await answerOf(path, body)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true }));
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) onLine(JSON.parse(line));
  }
}

async function answerOf(path, body) {
  const token = sessionStorage.getItem(KEY);
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  let answer;
  try {
    answer = await fetch(path, request);
  } catch {
    throw new Refused((await isThere()) ? MISSED : ENDED);
  }
  if (answer.ok) return answer;
  throw new Refused(await answer.json().catch(() => ENDED));
}
