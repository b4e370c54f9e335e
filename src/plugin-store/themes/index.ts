export { BlockedThemes } from './blocked-themes.js';
export { ThemeDeeds } from './theme-deeds.js';
export { ThemeExchange } from './theme-exchange.js';
export { ThemeFolders } from './theme-folders.js';
export { ThemePackageOperations } from './theme-package.operations.js';
