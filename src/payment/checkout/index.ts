export { readBuildResult } from './build-result.js';
export { Dispatch } from './dispatch.js';
export { OrderPlacing } from './order-placing.js';
export { OrderSending } from './order-sending.js';
export { PAY_FILTERS, type PaymentFilters } from './payment-filters.js';
export { RETURN_COOKIE, returnPath } from './return-cookie.js';
