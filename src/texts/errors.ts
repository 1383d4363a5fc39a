import { catalogueSection } from './catalogue.ts';

/** Of failures that no stage foresaw. */
export const errorTexts = catalogueSection('errors', {
  internal: 'Something went wrong inside Slipstream.',
  internalNext: "Try again. If it keeps happening, report it with Kodi's log.",
});
