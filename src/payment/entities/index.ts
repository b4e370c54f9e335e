export * from './order-history-entry.entity.js';
export * from './order-dispatch.entity.js';
export * from './order-inquiry.entity.js';
export * from './order.entity.js';
export * from './payment-transaction.entity.js';
export * from './refund.entity.js';
export * from './rejected-notification.entity.js';
export * from './second-payment.entity.js';
