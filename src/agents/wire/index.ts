export * from './actions.js';
export * from './clip.js';
export * from './limits.js';
export type * from './node-api.js';
export * from './seal.js';
export { ShapeError } from './shape.js';
export * from './task-problems.js';
