export { type Candidate, hasRoom } from './placement-rule.js';
export { type ServerLoad, ServerLoads } from './server-loads.js';
export { ANY_SERVER, groupReference, type Place, ServerPlacement, type Wanted } from './server-placement.js';
