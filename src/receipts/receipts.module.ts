import { Module } from '@nestjs/common';

import { PaymentModule } from '../payment/index.js';

import { ReceiptRepository } from './receipt-repository.js';
import { ReceiptOperations } from './receipt.operations.js';
import { ReceiptPages } from './receipt.pages.js';

/** Receipts of paid orders, with the data for invoices. */
@Module({
  imports: [PaymentModule],
  providers: [ReceiptRepository, ReceiptOperations],
  controllers: [ReceiptPages],
  exports: [ReceiptRepository],
})
export class ReceiptsModule {}
