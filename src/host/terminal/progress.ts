import { CancelledError } from '../../errors/index.ts';
import type { Progress, ProgressState } from '../port.ts';
import type { Interrupts } from './interrupts.ts';
import type { Screen } from './screen.ts';

const BAR_WIDTH = 20;
/** Where nothing can be redrawn, a line per so many percent is enough. */
const LINE_STEP = 10;

/** Opens a progress display on the status line; Ctrl-C cancels it. */
export function openProgress(title: string, screen: Screen, interrupts: Interrupts): Progress {
  const controller = new AbortController();
  const release = interrupts.claim(() => {
    controller.abort(new CancelledError('person'));
  });
  screen.heading(title);
  return {
    update: (state) => {
      screen.status(statusText(screen.interactive ? state : coarse(state)));
      return Promise.resolve();
    },
    tell: (words) => {
      screen.line(words);
    },
    cancelled: controller.signal,
    close: () => {
      release();
      screen.clearStatus();
      return Promise.resolve();
    },
  };
}

/** " 40 %  [########------------]  Downloading  more about it": what matters most stays on the narrowest screen. */
function statusText({ stage, detail, percent }: ProgressState): string {
  const parts = [...(percent === undefined ? [] : [bar(percent)]), stage, ...(detail ? [detail] : [])];
  return parts.join('  ');
}

function bar(percent: number): string {
  const within = Math.min(100, Math.max(0, percent));
  const filled = Math.round((within / 100) * BAR_WIDTH);
  return `${String(Math.round(within)).padStart(3)} %  [${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

/** Without the detail, which changes too often, and with the percentage in steps. */
function coarse({ stage, percent }: ProgressState): ProgressState {
  return percent === undefined ? { stage } : { stage, percent: Math.floor(percent / LINE_STEP) * LINE_STEP };
}
