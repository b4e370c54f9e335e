export * from './account.module.js';
