import * as v from 'valibot';
import { asSlipstreamError } from '../../errors/index.ts';
import type { StreamExchange } from '../stages.ts';
import { readJsonBody } from './json-body.ts';
import { sendSlipstreamError } from './responses.ts';

const PlanBody = v.object({ plan: v.unknown() });

/** PUT /stream/<session>/plan: what is left to the service is another plan than the one that came with /prepare. */
export async function replacePlan({ request, response, session }: StreamExchange): Promise<void> {
  try {
    session.setPlan((await readJsonBody(request, PlanBody)).plan);
    response.writeHead(204).end();
  } catch (error) {
    sendSlipstreamError(response, asSlipstreamError(error));
  }
}
