export * from './operation-log.entity.js';
