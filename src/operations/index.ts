export * from './entities/index.js';
export * from './input-fields.js';
export * from './legacy-names.js';
export * from './list-input.js';
export * from './operation.js';
export * from './replies.js';
