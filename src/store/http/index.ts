export * from './envelope.js';
export * from './input.js';
export * from './paging.js';
export * from './session-cookie.js';
export * from './store-access.js';
export * from './store-call.js';
export * from './store-controller.js';
