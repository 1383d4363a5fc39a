import type { MediaRequest } from '../model/index.ts';
import type { Router } from '../router.ts';
import { type SelectContext, type Selection, shelvedChoice } from './select.ts';

/**
 * What a playlist came to by itself. The pack that the episode before it was from needs no search: only when it fails
 * after all are the sources asked.
 * @throws as select
 */
export async function selectNext(
  request: MediaRequest,
  context: SelectContext,
  stages: Router,
): Promise<Selection> {
  const { shelf, after, signal } = context;
  const pack = shelf.packs.find(({ key }) => key === after?.pack);
  if (pack === undefined) return await stages.select(request, context, stages);
  const chosen = pack.release;
  let isFirst = true;
  let searched: Selection | undefined;
  return {
    ...{ request, chosen },
    upcoming: () => searched?.upcoming() ?? [],
    twins: (of) => searched?.twins(of) ?? [],
    next: async () => {
      if (isFirst) {
        isFirst = false;
        return await shelvedChoice(chosen, shelf, signal);
      }
      searched ??= await stages.select(request, context, stages);
      return await searched.next();
    },
    close: async () => {
      await searched?.close();
    },
  };
}
