export { explainAddress, refusedBySomebodyElse } from './explain-address.ts';
export { answers, isUntrusted, type Probing } from './probe.ts';
export type { Sought, Variant } from './sought.ts';
export { type Explained, runSteps, type Step } from './steps.ts';
