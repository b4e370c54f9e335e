export { hasRoom } from './placement-rule.js';
export { type ServerLoad, ServerLoads } from './server-loads.js';
export { groupReference, type PlacedServer, type PlacementCandidates, ServerPlacement } from './server-placement.js';
