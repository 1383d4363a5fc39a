import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded } from '../../io/http.ts';
import { parseJson } from '../../io/json.ts';
import { unlessMoved } from '../../io/moved.ts';
import { retryAfterOf } from '../../io/retry-after.ts';
import type { Address } from '../wire/address.ts';
import type { SourceOptions } from '../wire/options.ts';
import {
  isPage,
  managerService,
  pageError,
  type Refusal,
  refusalError,
  type Service,
} from '../wire/refusal.ts';
import { addonAddress } from './address.ts';

/** The two resources of a Stremio add-on that a search needs (protocols.md §8.2). */
export interface Client {
  readonly service: Service;
  readonly address: Address;
  /** Reads one resource under the add-on's address. @throws SlipstreamError as SearchSource.ask */
  get<T>(path: string, schema: v.GenericSchema<unknown, T>, signal: AbortSignal): Promise<T>;
}

/** A thousand streams with all their descriptions have about 1 MB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** @throws INVALID_REQUEST when the address is no web address */
export function addonClient(options: SourceOptions): Client {
  const { url, timeout } = options;
  const manager = managerService('Stremio add-on', options, 'in the address that the add-on shows');
  const service: Service = { ...manager, ownPlace: 'the page of the add-on' };
  const address = addonAddress(url, service.who);
  return {
    service,
    address,
    get: async (path, schema, signal) => {
      const { base } = address;
      const asked = { url: `${base}${path}`, who: service.who, base };
      const answer = await fetchBounded({
        ...asked,
        ...{ signal, timeout, maxBytes: MAX_ANSWER_BYTES },
        headers: {
          accept: 'application/json',
          ...(address.login !== undefined && { authorization: address.login.authorization }),
        },
      });
      const text = answer.text();
      if (answer.status < 200 || answer.status >= 300) {
        const { status, headers } = answer;
        const refusal = { text: text.slice(0, 2000), httpStatus: status, retryAfter: retryAfterOf(headers) };
        throw unlessMoved(refusalOf(refusal, service), asked, answer);
      }
      if (isPage(text)) throw pageError(service, 'markup');
      const parsed = v.safeParse(schema, parseJson(text));
      if (!parsed.success) throw badAnswer(service.who, `unexpected answer: ${parsed.issues[0].message}`);
      return parsed.output;
    },
  };
}

/** The key is part of the address: there is no other to be entered. */
function refusalOf(refusal: Refusal, service: Service): SlipstreamError {
  const error = refusalError(refusal, service);
  if (error.code !== 'AUTH_FAILED') return error;
  const explanation = {
    what: `${service.who} refused the key that its address holds.`,
    next: `Copy the address of the add-on anew into ${service.setUpIn}; it may have expired.`,
  };
  return new SlipstreamError('AUTH_FAILED', explanation, { cause: error, detail: error.message });
}
