export * from './monitor-check.entity.js';
export * from './monitor-task.entity.js';
export * from './notice.entity.js';
