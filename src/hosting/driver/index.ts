export * from './driver-call.js';
export * from './driver-fields.js';
export * from './driver-nodes.js';
export * from './driver-registry.js';
export * from './host-driver.js';
export * from './php-versions.js';
export { pluginDriver, type DriverCallGuard } from './plugin-driver/index.js';
export * from './ports/index.js';
export * from './unenforced.js';
