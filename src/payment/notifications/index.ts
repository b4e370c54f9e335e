export { notifyTrace, type NotifyTrace, sayTrace, tracedNotify, traceWords } from './notify-trace.js';
export { RejectedNotifications } from './rejected-notifications.js';
export { readClaim, type SettlementClaim, type SettlementRefusal } from './settlement-claim.js';
