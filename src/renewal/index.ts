import './texts.js';

export { Renewal } from './entities/index.js';
export { RenewalDelivery } from './renewal-delivery.js';
export { RenewalOffers } from './renewal-offers.js';
export { RenewalModule } from './renewal.module.js';
