export * from './audit-log.js';
export { AuditTrail } from './audit-trail.js';
export * from './audited.js';
export { AuditNames } from './audit-names.js';
