/** How every message names where something is set up, as Kodi shows it: a page of the settings, or the list of sources. */
export const OWN_PLACE = String.raw`the (?:settings of Slipstream \([^)]+\)|list of indexers in Slipstream)`;

/** The end of what to do about a login that a backend refuses. */
export const ENTER_IT = 'Enter it in the settings of Slipstream (Backends).';
export const ENTER_BOTH = 'Enter both in the settings of Slipstream (Backends).';
