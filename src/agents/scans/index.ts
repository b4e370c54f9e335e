export { scanForm } from './scan-form.js';
export { isCron } from './cron-form.js';
export { ScanList, type StatusFilter, type TimeFilter } from './scan-list.js';
export { type KeptScan, readScan } from './scan-report.js';
export { ScanSettings } from './scan-settings.js';
export { ScanStarter } from './scan-starter.js';
export { ScanStore } from './scan-store.js';
