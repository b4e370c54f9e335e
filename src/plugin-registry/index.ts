import './texts.js';

export { kilobytes } from './call-summary.js';
export { PluginError } from './errors.js';
export { InstalledPlugins } from './installed-plugins.js';
export { PluginOptions } from './plugin-options.js';
export * from './plugin-registry.module.js';
export { type PluginListing, PluginListings, type PluginStatus } from './plugin-listings.js';
export { PluginReconciler } from './plugin-reconciler.js';
export { PluginRegistry } from './plugin-registry.js';
export { SafeModeLink } from './safe-mode-link.js';
export { RuntimeLimits } from './runtime/runtime-limits.js';
export { PluginPagesModule } from './plugin-pages.module.js';
export { optionsForm } from './plugin-settings.operations.js';
