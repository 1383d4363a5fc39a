export { explainAddress, refusedBySomebodyElse, type Sought, type Variant } from './explain-address.ts';
export { answers, type Probing } from './probe.ts';
export { type Explained, runSteps, type Step } from './steps.ts';
