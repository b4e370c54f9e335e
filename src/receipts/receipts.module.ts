import { Module } from '@nestjs/common';

import { PaymentModule } from '../payment/index.js';

import { ReceiptBook } from './receipt-book.js';
import { ReceiptOperations } from './receipt.operations.js';
import { ReceiptPages } from './receipt.pages.js';

/** Receipts of paid orders, with what invoices need. */
@Module({ imports: [PaymentModule], providers: [ReceiptBook, ReceiptOperations], controllers: [ReceiptPages], exports: [ReceiptBook] })
export class ReceiptsModule {}
