export { bufferContent, type Content, clipContent, opaqueContent, packetContent } from './content.ts';
export {
  type Cut,
  type DialectName,
  type Fault,
  type HeadLie,
  type LateRegion,
  NO_FAULTS,
  type Region,
  type Script,
  scaleScript,
} from './script.ts';
export { type FaultServer, type FaultServerOptions, startFaultServer } from './server.ts';
