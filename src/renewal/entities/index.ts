export * from './renewal.entity.js';
