export * from './clock.js';
export * from './context.js';
export * from './errors.js';
export * from './i18n.js';
export * from './logger.js';
export * from './money.js';
export * from './package-root.js';
export * from './undo.js';
