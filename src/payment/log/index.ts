export { PaymentLogOperations } from './payment-log.operations.js';
export { PaymentLogPages } from './payment-log.pages.js';
export { PaymentLog } from './payment-log.js';
