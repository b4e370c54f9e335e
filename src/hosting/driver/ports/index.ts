export * from './bin.js';
export * from './domains.js';
export * from './files.js';
export * from './port-problem.js';
export * from './site-ports.js';
export * from './site-settings.js';
export * from './traffic.js';
