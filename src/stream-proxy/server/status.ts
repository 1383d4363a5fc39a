import type { HttpExchange, ProxyContext } from '../stages.ts';
import { sendJson } from './responses.ts';

/** So much of an id tells sessions apart and opens none. */
const SHORT_ID = 8;

/** GET /status: what each session does and why, without anything secret. */
export function serveStatus({ sessions }: ProxyContext, { response }: HttpExchange): void {
  const reports = sessions.list().map((session) => {
    const report = session.report();
    return { ...report, id: report.id.slice(0, SHORT_ID) };
  });
  sendJson(response, 200, { sessions: reports });
}
