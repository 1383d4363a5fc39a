import { isGone, onTime, Refused, send } from './api.mjs';
import { put } from './dom.mjs';

const MINUTE = 60_000;
/** Milliseconds before the end from which on the person is told. */
const WARNING = 2 * MINUTE;
/** Milliseconds: more often the TV need not hear that somebody types. */
const APART = 15_000;
const LOOK = 1_000;

/** Minutes that who hears the page is told of; before the last ones there is the warning. */
const TOLD = [5, 1];

const time = document.getElementById('time');
const said = document.getElementById('time-said');

/** When the TV closes the page, by performance.now(); 0: it has told nothing yet. */
let ends = 0;
/** No press moves the end any more. */
let isLast = false;
let told = 0;
let looking;
let onOver;

// What was asked earlier may be answered later: no end is nearer than another one that the TV has told.
onTime((time) => {
  if (time.ends >= ends) ({ ends, isLast } = time);
});

/**
 * Shows how long the TV keeps the page, as it has told. `warn` hears each second whether that is 'short', or 'last' when
 * no press helps any more; undefined: neither. `over` hears of the end, once.
 */
export function startClock({ warn, over }) {
  clearInterval(looking);
  onOver = over;
  const look = () => {
    const left = ends - performance.now();
    if (left <= 0) return over();
    const minutes = Math.ceil(left / MINUTE);
    put(time, minutes === 1 ? 'Last minute' : `${minutes} min left`);
    put(
      said,
      TOLD.includes(minutes)
        ? `The page closes in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
        : '',
    );
    time.classList.toggle('short', left <= WARNING);
    time.hidden = false;
    warn(left > WARNING ? undefined : isLast ? 'last' : 'short');
  };
  told = performance.now();
  looking = setInterval(look, LOOK);
  look();
}

/** Another set-up has another time. */
export function stopClock() {
  clearInterval(looking);
  looking = undefined;
  ends = 0;
  time.hidden = true;
  put(said, '');
}

/** Tells the TV that somebody is there. */
async function stay() {
  const now = performance.now();
  if (looking === undefined || now - told < APART) return;
  told = now;
  try {
    await send('/api/stay', {});
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (isGone(error) && looking !== undefined) onOver(error.told);
  }
}

for (const kind of ['input', 'click', 'keydown']) document.addEventListener(kind, stay);
