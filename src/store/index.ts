export { ensureStoreAdministrator } from './accounts/index.js';
export * from './entities/index.js';
export { StoreModule } from './store.module.js';
