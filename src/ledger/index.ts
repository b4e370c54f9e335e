import './texts.js';

export { CreditHolders } from './credit-holders.js';
export { CreditPayments, type CreditPayment } from './credit-payments.js';
export { CreditRefunds } from './credit-refunds.js';
export * from './entities/index.js';
export { EntryList } from './entry-list.js';
export { LedgerError } from './errors.js';
export { LedgerCheck } from './ledger-check.js';
export { causeOf, Ledger, type CreditHolder, type Movement } from './ledger.js';
export { CreditModule, LedgerModule } from './ledger.module.js';
export { CodeBatches, MOST_CODES } from './code-batches.js';
export { Redeeming, WRONG_CODES } from './redeeming.js';
export { TOP_UP_SCENE } from './top-up-scene.js';
export { TOP_UP, TopUps } from './top-ups.js';
