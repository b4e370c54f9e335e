export { CurrencyChoice } from './currency-choice.js';
export { MAX_WORDS, wordsOf } from './gateway-answers.js';
export { GatewayCalls } from './gateway-calls.js';
export { gatewayName } from './gateway-words.js';
export { GatewayOperations } from './gateway.operations.js';
export { type AvailableMethod, CONFIRMED_BY_HAND, PAID_BY_COUPON, PaymentMethods } from './payment-methods.js';
export { PaymentRegistry } from './payment-registry.js';
export { PaymentSettingsOperations } from './payment-settings.operations.js';
export { PaymentSettingsPages } from './payment-settings.pages.js';
