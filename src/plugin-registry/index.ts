export { kilobytes } from './call-summary.js';
export { PluginError } from './errors.js';
export { PluginOptions } from './plugin-options.js';
export * from './plugin-registry.module.js';
export { PluginRegistry, type PluginListing, type PluginStatus } from './plugin-registry.js';
export { SafeModeLink } from './safe-mode-link.js';
export { RuntimeLimits } from './runtime/runtime-limits.js';
export { PluginPagesModule } from './plugin-pages.module.js';
export { optionsForm } from './plugin-settings.operations.js';
