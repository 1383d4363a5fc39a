export {
  type CheckStep,
  runCheckSteps,
  type StepFailure,
} from './check-steps.ts';
export { explainAddress, refusedByOtherServer } from './explain-address.ts';
export {
  hasUntrustedCertificate,
  type ProbeOptions,
  probeMatches,
} from './probe.ts';
export type { ProbeTarget, Variant } from './probe-target.ts';
