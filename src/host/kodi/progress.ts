import { CancelledError } from '../../errors/index.ts';
import type { Progress, ProgressState } from '../port.ts';
import type { KodiWindows, WindowContent } from './windows.ts';

const PROGRESS_XML = 'slipstream-progress.xml';
const BAR = 20;

/** Opens our progress window. Back in it cancels. */
export async function openKodiProgress(windows: KodiWindows, title: string): Promise<Progress> {
  const cancelled = new AbortController();
  const cancel = () => {
    cancelled.abort(new CancelledError('person'));
  };
  const window = await windows.open(PROGRESS_XML, { properties: { title, busy: 'true' } }, null, {
    onClick: cancel,
    onBack: cancel,
    onClosed: cancel,
  });
  return {
    update: (state) => window.update(content(state)),
    cancelled: cancelled.signal,
    close: () => window.close(),
  };
}

function content({ stage, detail = '', percent }: ProgressState): WindowContent {
  const properties = { stage, detail, busy: percent === undefined ? 'true' : '' };
  return percent === undefined ? { properties } : { properties, percents: { [BAR]: Math.round(percent) } };
}
