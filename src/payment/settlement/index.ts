export { SettlementRecord } from './settlement-record.js';
export { Settlement } from './settlement.js';
