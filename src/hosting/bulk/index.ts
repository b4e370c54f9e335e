export { BulkModule } from './bulk.module.js';
export { BULK_TASK, HostBulk } from './host-bulk.js';
export type { BulkOrder } from './bulk-order.js';
export type { BulkReport } from './bulk-report.js';
