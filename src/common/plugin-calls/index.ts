export * from './call-deadlines.js';
export { CallPlace, type CallStatistics } from './call-place.js';
export { noteCodeFolder } from './code-folders.js';
export * from './errors.js';
export * from './plugin-calls.js';
export { RUNNING_PLACE } from './shared-state.js';
export { errorWithout } from './thrown.js';
