import * as v from 'valibot';
import { asSlipstreamError } from '../../errors/index.ts';
import type { StreamExchange } from '../stages.ts';
import { refuseWith } from './answer.ts';
import { bodyOf } from './body.ts';

const Left = v.object({ plan: v.unknown() });

/** PUT /stream/<session>/plan: what is left to the service is another plan than the one that came with /prepare. */
export async function replacePlan({ request, response, session }: StreamExchange): Promise<void> {
  try {
    session.leavePlan((await bodyOf(request, Left)).plan);
    response.writeHead(204).end();
  } catch (error) {
    refuseWith(response, asSlipstreamError(error));
  }
}
