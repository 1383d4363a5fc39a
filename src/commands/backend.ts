import type { BackendOf } from '../service/service.ts';
import { playbackBackend } from '../router.ts';

/** The backend that the settings name; for the service, nothing set up yet is a normal state. */
export const configuredBackend: BackendOf = (settings, log) =>
  settings.webdav_api_url === '' ? undefined : playbackBackend(settings, log);
