export { BinList } from './bin-list.js';
export { BinOperations } from './bin.operations.js';
export { BinSettingsOperations } from './bin-settings.operations.js';
export { BinRestore } from './bin-restore.js';
export { binForm } from './bin-settings.js';
