export { hasRoom } from './placement-rule.js';
export { type ServerLoad, ServerLoads } from './server-loads.js';
export { groupReference, type Place, ServerPlacement, type Wanted } from './server-placement.js';
