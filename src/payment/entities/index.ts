export * from './order.entity.js';
export * from './payment-transaction.entity.js';
