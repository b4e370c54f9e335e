export * from './audit-log.js';
export { AuditController } from './audit.controller.js';
