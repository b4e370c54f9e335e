import './texts.js';

export { ensureStoreAdministrator, StoreMailer, storeNamesWithDefaultPassword, type StoreLetter } from './accounts/index.js';
export { describeStore } from './describe-store.js';
export { FollowedIndex } from './catalog/index.js';
export * from './entities/index.js';
export { StorageHealth } from './items/index.js';
export { StoreAloneModule, StoreModule } from './store.module.js';
