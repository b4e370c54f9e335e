export * from './clip.js';
export * from './limits.js';
export type * from './node-api.js';
