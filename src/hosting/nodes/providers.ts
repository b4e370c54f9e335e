import { CallingKeys } from './calling-keys.js';
import { NodeChanges } from './node-changes.js';
import { NodeServers } from './node-servers.js';
import { NodesService } from './nodes.service.js';
import { OfferedServers } from './offered-servers.js';
import { ServerGroups } from './server-groups.js';
import { ServerLeftovers } from './server-leftovers.js';

/** Servers, and their calling keys. */
export const NODE_PROVIDERS = [CallingKeys, NodesService, NodeChanges, NodeServers, OfferedServers, ServerLeftovers, ServerGroups];
