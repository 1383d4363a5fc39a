export { kodiHost } from './kodi-host.ts';
export { kodiServiceHost } from './kodi-service-host.ts';
export { createPeer, type Peer } from './peer.ts';
export { receiveStart, type StartMessage } from './start.ts';
