export { ensureStoreAdministrator, storeNamesWithDefaultPassword } from './accounts/index.js';
export * from './entities/index.js';
export { StorageHealth } from './items/storage-health.js';
export { StoreAloneModule, StoreModule } from './store.module.js';
