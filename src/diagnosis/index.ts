export {
  type CheckStep as Step,
  runCheckSteps as runSteps,
  type StepFailure as Explained,
} from './check-steps.ts';
export { explainAddress, refusedByOtherServer as refusedBySomebodyElse } from './explain-address.ts';
export {
  hasUntrustedCertificate as isUntrusted,
  type ProbeOptions as Probing,
  probeMatches as answers,
} from './probe.ts';
export type { ProbeTarget as Sought, Variant } from './probe-target.ts';
