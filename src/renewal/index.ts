import './texts.js';

export { Renewal } from './entities/index.js';
export { RenewalDelivery } from './renewal-delivery.js';
export { MOST_MONTHS, RenewalOffers, type DatedOffer } from './renewal-offers.js';
export { RENEWAL_SCENE, renewalOf } from './renewal-orders.js';
export { RenewalModule } from './renewal.module.js';
