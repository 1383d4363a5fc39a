import type { Form } from './form.ts';

/**
 * The fingerprint of each player file that was ever given out: what lies there under one of them was not changed by
 * anybody, and may be replaced without asking. Only ever added to, whenever addon/resources/players changes.
 */
export const KNOWN_VERSIONS: Readonly<Record<string, Form>> = {
  '9e4f29f61f5471e611e57ed16258bfc4a2ad2e0411e88f6006ef8f10cc49d67a': 'resolvable',
  '04a876ba95f8333b666ab5f932ff5bff209859585e2e59b2fd3e0b40768192c7': 'resolvable-upnext',
  e33348fe7ff80950c6e6549f2a15725582b69e6cd7cfa4e9d523168f838d2333: 'resolvable-playlist',
  '2e7ecf98b3df324c5ab3176368c2cf4078731cc35c9db86b71a2008d2a0caf18': 'script',
  // Until 0.1.0: no form with next episodes, and titles and plot in English only.
  d1dd700e37b1d7470dff710489e0700f5fac7c7eb0d1edb60f253dc60df57ffa: 'resolvable',
  '867952bcc9c1666b6e5836c5de1086e0c1655a0e8a899b1da572bd220aceaf19': 'script',
};
