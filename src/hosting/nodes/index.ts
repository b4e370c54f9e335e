export { CallingKeys, hasOverlap } from './calling-keys.js';
export { NodeChanges, type NodeSettings } from './node-changes.js';
export { NodeServers } from './node-servers.js';
export { NodesService } from './nodes.service.js';
export { ServerLeftovers } from './server-leftovers.js';
export { type ServerLoad, ServerLoads } from './server-loads.js';
export { sealServerKeys } from './sealed-server-keys.js';
