/** In docs/: what `npm run scenarios` has found. */
export const DOCUMENT = 'scenarios.md';
