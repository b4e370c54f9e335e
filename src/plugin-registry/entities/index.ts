export * from './installed-plugin.entity.js';
export * from './plugin-fault.entity.js';
export * from './plugin-migration.entity.js';
export * from './plugin-option.entity.js';
export * from './plugin-strike.entity.js';
