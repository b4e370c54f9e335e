import './texts.js';

export { PluginStoreModule } from './plugin-store.module.js';
export { StoreWatch } from './store-watch.js';
export { ThemeFolders } from './themes/index.js';
