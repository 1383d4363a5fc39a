export { kodiHost } from './kodi-host.ts';
export { kodiServiceHost } from './kodi-service-host.ts';
export { followKodiLanguage } from './language.ts';
export { type BridgePeer as Peer, createPeer } from './peer.ts';
export { receiveStart, type StartMessage } from './start.ts';
