export * from './driver-call.js';
export * from './driver-registry.js';
export * from './host-driver.js';
