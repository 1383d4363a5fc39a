// Talks to the TV. The token stays in this tab: a cookie would also go to whatever else runs at the same address.

const KEY = 'slipstream-token';

/** What the TV has refused, in words: {code, what, next, setting?}. */
export class Refused extends Error {
  /** It stands at its field already. */
  isMarked = false;

  constructor(told) {
    super(told.what);
    this.told = told;
  }
}

/** The same act, where what is refused has been told where it belongs. */
export const unlessRefused =
  (act) =>
  async (...given) => {
    try {
      await act(...given);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  };

/** The set-up that this page belonged to is not there any more; another may be. */
export const isGone = ({ told }) => ['ENDED', 'AUTH_FAILED'].includes(told.code);

let hear = () => {};
/** Has a listener hear with each answer how long the TV waits: from then on, and whether no press makes it longer. */
export const onTime = (listener) => {
  hear = listener;
};

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

/** Asks the TV, and gives its answer. Without a body it is only a question. @throws Refused, the signal's reason */
export async function send(path, body, signal) {
  const answer = await answerOf(path, body, signal);
  try {
    return await answer.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(MISSED);
  }
}

/**
 * Gives each line of an answer as soon as it is there, also of one that is broken off, or that the signal ends.
 * @throws Refused
 */
export async function sendForLines(path, body, onLine, signal) {
  const answer = await answerOf(path, body, signal).catch((error) => {
    if (!signal?.aborted) throw error;
  });
  if (answer === undefined) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true }));
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) onLine(JSON.parse(line));
  }
}

async function answerOf(path, body, signal) {
  const token = sessionStorage.getItem(KEY);
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  };
  // The TV has counted from when it heard of it, which was no earlier.
  const sent = performance.now();
  let answer;
  try {
    answer = await fetch(path, request);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused((await isThere()) ? MISSED : ENDED);
  }
  const time = answer.headers.get('slipstream-time-left');
  if (time !== null) {
    const [left, most] = time.split(' ').map(Number);
    hear({ ends: sent + left, isLast: left === most });
  }
  if (answer.ok) return answer;
  throw new Refused(await answer.json().catch(() => ENDED));
}
