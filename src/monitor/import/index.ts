import { ImportOperations } from './import.operations.js';
import { ImportPages } from './import.pages.js';
import { MonitorImport } from './monitor-import.js';

/** Import of monitors from Uptime-Kuma. */
export const IMPORT_PROVIDERS = [MonitorImport, ImportOperations];
export const IMPORT_CONTROLLERS = [ImportPages];
