export * from './columns.js';
export { createDatabase, dataSourceOptions } from './data-source.js';
export * from './database.js';
export * from './database.module.js';
export * from './entities.js';
export * from './sql-time.js';
export * from './start-up-lock.js';
export * from './statement.js';
