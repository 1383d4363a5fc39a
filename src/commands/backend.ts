import { playbackBackend } from '../router.ts';
import type { BackendOf } from '../service/service.ts';

/** The backend that the settings name; for the service, nothing set up yet is a normal state. */
export const configuredBackend: BackendOf = (settings, log) =>
  settings.webdav_api_url === '' ? undefined : playbackBackend(settings, log);
