export * from './receipt.entity.js';
