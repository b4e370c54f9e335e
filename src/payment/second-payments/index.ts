export { SecondPaymentOperations } from './second-payment.operations.js';
export { SecondPayments } from './second-payments.js';
export { SecondRefunds } from './second-refunds.js';
