import * as v from 'valibot';
import type { ServiceId } from '../../connections/service.ts';
import { type Document, openDocument } from '../../io/store.ts';
import { STEP_IDS } from './step.ts';

const Service = v.picklist([
  'newznab',
  'hydra',
  'prowlarr',
  'stremio',
  'webdav',
  'nzbget',
  'altmount',
  'streamnzb',
  'none',
] as const satisfies readonly (ServiceId | 'none')[]);

const LeftAt = v.object({
  step: v.picklist(STEP_IDS),
  /** As Run.wasFinished, of the one that was left. */
  wasFinished: v.exactOptional(v.boolean(), false),
  chosen: v.object({ search: v.exactOptional(Service), play: v.exactOptional(Service) }),
});
/** Where a set-up is, or was left; what was entered stands in the settings. */
export type LeftAt = v.InferOutput<typeof LeftAt>;

export const openLeftAt = (folder: string): Document<LeftAt> =>
  openDocument(folder, 'first-run', { version: 1, parse: (value) => v.parse(LeftAt, value) });
