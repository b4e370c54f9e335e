export { BlockedThemes } from './blocked-themes.js';
export { ThemeDeeds } from './theme-deeds.js';
export { ThemeExchange } from './theme-exchange.js';
export { ThemeFolders } from './theme-folders.js';
export { ThemePackageOperations } from './theme-package.operations.js';
export { ThemeShelf } from './theme-shelf.js';
export { ThemeStoreOperations } from './theme-store.operations.js';
export { ThemeStorePages } from './theme-store.pages.js';
