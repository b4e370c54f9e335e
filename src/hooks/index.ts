import './texts.js';

export * from './errors.js';
export * from './events/index.js';
export { MAX_HOOK_DEPTH } from './hook-frame.js';
export * from './hook-registry.js';
export * from './hooks.module.js';
