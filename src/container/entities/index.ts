export * from './container.entities.js';
