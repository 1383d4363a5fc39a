import { type Answer, type Handler, json } from '../http/types.ts';
import type { SandboxJob } from '../nzbdav/jobs.ts';
import type { DirectStreamParts } from './parts.ts';

/** AltMount's SABnzbd endpoint, as far as jobs are listed and removed by it: every answer has status 200 (protocols.md §2.10). */
export function sabnzbd({ apiKey, jobs }: DirectStreamParts): Handler {
  const remove = (mode: string, id: string): Answer => {
    if (mode === 'queue') jobs.removeQueued([id]);
    else jobs.removeFinished([id], true);
    return json(200, { status: true });
  };
  return ({ query }) => {
    if (query.get('apikey') !== apiKey) return json(200, { status: false, error: 'API Key Incorrect' });
    const mode = query.get('mode') ?? '';
    if (query.get('name') === 'delete') return remove(mode, query.get('value') ?? '');
    switch (mode) {
      case 'queue':
        return json(200, { status: true, queue: { paused: false, slots: jobs.queue().map(queueSlot) } });
      case 'history':
        return json(200, { history: { slots: jobs.history().map(historySlot) } });
      default:
        return json(200, { status: false, error: 'Unknown mode' });
    }
  };
}

const queueSlot = ({ id, name, category, state }: SandboxJob) => ({
  nzo_id: id,
  filename: name,
  cat: category,
  category,
  status: state === 'downloading' ? 'Downloading' : 'Queued',
  percentage: '50',
});

const historySlot = ({ id, name, category, state, failure }: SandboxJob) => ({
  nzo_id: id,
  name,
  nzb_name: `${name}.nzb`,
  category,
  status: state === 'failed' ? 'Failed' : 'Completed',
  storage: `/mnt/altmount/complete/${category}/${name}`,
  fail_message: failure ?? '',
});
