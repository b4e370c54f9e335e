export { DELIVER_TASK, DIGEST_TASK, Deliveries, type DigestTarget } from './deliveries.js';
export { DeliveryOperations } from './delivery.operations.js';
export { DeliveryPages } from './delivery.pages.js';
