export { Answer } from './answer.js';
export * from './paging.js';
export * from './store-call.js';
export { StoreCallers } from './store-callers.js';
