export { REFUND_CREDIT, type RefundCredit } from './refund-credit.js';
export { RefundRepository } from './refund-repository.js';
export { RefundOperations } from './refund.operations.js';
export { Refunds } from './refunds.js';
