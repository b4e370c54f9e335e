export * from './plugin-store.entity.js';
