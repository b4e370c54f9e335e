export * from './scripts/index.js';
export * from './settings/index.js';
export { ThemeCards } from './theme-cards.js';
export { ThemeChoice, themeOf } from './theme-choice.js';
export { type ThemeBetaChoice, ThemeUpdates } from './theme-updates.js';
export { ThemeOperations } from './theme.operations.js';
export { ThemePages } from './theme.pages.js';
export { ThemePreviewBanner } from './theme-preview-banner.js';
