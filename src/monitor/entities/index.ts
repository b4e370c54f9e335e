export * from './domain-expiry.entity.js';
export * from './incident.entity.js';
export * from './maintenance-window.entity.js';
export * from './monitor-check.entity.js';
export * from './monitor-hold.entity.js';
export * from './monitor-stat.entity.js';
export * from './monitor-task.entity.js';
export * from './status-page.entity.js';
