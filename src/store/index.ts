export { ensureStoreAdministrator } from './accounts/index.js';
export * from './entities/index.js';
export { StoreAloneModule, StoreModule } from './store.module.js';
