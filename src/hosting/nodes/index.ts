export { acceptsCallingKey } from './calling-keys.js';
export { hasOverlap, NodeChanges, type NodeSettings } from './node-changes.js';
export { NodeServers } from './node-servers.js';
export { NodesService } from './nodes.service.js';
export { ServerLeftovers } from './server-leftovers.js';
export { sealPanelKeys } from './sealed-panel-keys.js';
