import * as v from 'valibot';
import type { ServiceId } from '../../connections/service.ts';
import { openDocument, type StoredDocument } from '../../io/store.ts';
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

const SetupState = v.object({
  step: v.picklist(STEP_IDS),
  /** As Run.wasFinished, of the one that was left. */
  wasFinished: v.exactOptional(v.boolean(), false),
  chosen: v.object({ search: v.exactOptional(Service), play: v.exactOptional(Service) }),
});
/** Where a set-up is, or was left; what was entered stands in the settings. */
export type SetupState = v.InferOutput<typeof SetupState>;

export const openSetupState = (folder: string): StoredDocument<SetupState> =>
  openDocument(folder, 'first-run', { version: 1, parse: (value) => v.parse(SetupState, value) });
