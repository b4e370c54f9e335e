export * from './audit-log.js';
export { AuditNames } from './audit-names.js';
export { AuditController } from './audit.controller.js';
