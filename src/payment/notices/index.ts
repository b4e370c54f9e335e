export { PaymentNotices } from './payment-notices.js';
export type { SecondPaymentRow } from './second-payment-row.js';
