export { CallingKeys, hasOverlap } from './calling-keys.js';
export { NodeChanges, type NodeSettings } from './node-changes.js';
export { NodeError } from './node-errors.js';
export { NodeServers } from './node-servers.js';
export { NodesService } from './nodes.service.js';
export { type OfferedGroup, type OfferedServer, OfferedServers } from './offered-servers.js';
export { type GroupValues, ServerGroups } from './server-groups.js';
export { ServerLeftovers } from './server-leftovers.js';
export { sealServerKeys } from './sealed-server-keys.js';
