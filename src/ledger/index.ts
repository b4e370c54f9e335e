import './texts.js';

export { CreditHolders } from './credit-holders.js';
export { CreditPayments } from './credit-payments.js';
export { CreditRefunds } from './credit-refunds.js';
export * from './entities/index.js';
export { EntryList } from './entry-list.js';
export { LedgerCheck } from './ledger-check.js';
export { causeOf, Ledger } from './ledger.js';
export { CreditModule, LedgerModule } from './ledger.module.js';
export { Redeeming } from './redeeming.js';
export { TOP_UP_SCENE } from './top-up-scene.js';
export { TopUps } from './top-ups.js';
