import type { Form } from './forms.ts';

/**
 * The fingerprint of each player file that was ever given out: what lies there under one of them was not changed by
 * anybody, and may be replaced without asking. Only ever added to, whenever addon/resources/players changes.
 */
export const KNOWN_VERSIONS: Readonly<Record<string, Form>> = {
  d1dd700e37b1d7470dff710489e0700f5fac7c7eb0d1edb60f253dc60df57ffa: 'resolvable',
  '867952bcc9c1666b6e5836c5de1086e0c1655a0e8a899b1da572bd220aceaf19': 'script',
};
