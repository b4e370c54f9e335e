export * from './driver-call.js';
export * from './driver-registry.js';
export * from './host-driver.js';
export * from './php-versions.js';
export * from './ports/index.js';
export * from './unenforced.js';
