import { Global, Module } from '@nestjs/common';

import { CustomersModule } from '../customers/index.js';
import { PaymentModule } from '../payment/index.js';

import { CheckQueries } from './check-queries.js';
import { CodeBatches } from './code-batches.js';
import { CodeOperations } from './code.operations.js';
import { CodePages } from './code.pages.js';
import { CreditHolders } from './credit-holders.js';
import { CreditPayments } from './credit-payments.js';
import { CreditRefunds } from './credit-refunds.js';
import { EntryList } from './entry-list.js';
import { LedgerCheck } from './ledger-check.js';
import { LedgerNotices } from './ledger-notices.js';
import { LedgerCheckOperations } from './ledger-check.operations.js';
import { LedgerOperations } from './ledger.operations.js';
import { LedgerPages } from './ledger.pages.js';
import { Ledger } from './ledger.js';
import { OwnCreditOperations } from './own-credit.operations.js';
import { Redeeming } from './redeeming.js';
import { TopUps } from './top-ups.js';

/** The ledger itself. Payments depend on it as `REFUND_CREDIT`, so it must not depend on them. */
@Global()
@Module({ imports: [CustomersModule], providers: [Ledger, CreditHolders, CreditRefunds], exports: [Ledger, CreditHolders, CreditRefunds] })
export class CreditModule {}

/** Customer credit: top-ups, payments and refunds. */
@Module({
  imports: [PaymentModule, CreditModule],
  controllers: [CodePages, LedgerPages],
  providers: [
    CheckQueries,
    CodeBatches,
    CodeOperations,
    Redeeming,
    CreditPayments,
    EntryList,
    LedgerCheck,
    LedgerNotices,
    LedgerCheckOperations,
    LedgerOperations,
    OwnCreditOperations,
    TopUps,
  ],
  exports: [CreditPayments, EntryList, Redeeming, TopUps],
})
export class LedgerModule {}
