import * as v from 'valibot';
import { type ProbeOptions, probeMatches } from '../../diagnosis/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { parseJson } from '../../io/json.ts';
import { NzbsUnsupported } from './replies.ts';

/** What every StreamNZB tells everybody, without a key (protocols.md §8.11). */
const Health = v.object({ addon: v.literal('streamnzb') });
const Info = v.object({ version: v.pipe(v.string(), v.regex(/^\d[\w.-]{0,30}$/)) });

/** Whether a StreamNZB answers below an address. Rejects only when the signal aborts. */
export const isStreamNzb = (base: string, probing: ProbeOptions): Promise<boolean> =>
  probeMatches(
    { url: `${base}/health`, ...probing },
    (answer) => v.safeParse(Health, parseJson(answer.text())).success,
  );

/** @returns what is wrong where the path that takes NZBs lacks at a StreamNZB; undefined: it is none. Rejects only when the signal aborts */
export async function nzbSupportProblem(
  base: string,
  probing: ProbeOptions,
): Promise<NzbsUnsupported | undefined> {
  return (await isStreamNzb(base, probing)) ? new NzbsUnsupported(await versionOf(base, probing)) : undefined;
}

/** As people know it: "4.1.0" of "4.1.0-26f878c". */
async function versionOf(base: string, { signal, timeout }: ProbeOptions): Promise<string | undefined> {
  try {
    const answer = await fetchBounded({ url: `${base}/api/info`, who: 'StreamNZB', signal, timeout });
    return v.parse(Info, parseJson(answer.text())).version.replace(/-[0-9a-f]{7,}$/, '');
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
