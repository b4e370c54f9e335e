import './texts.js';

export { readBuyer, type BuyerForm } from './buyer-form.js';
export * from './entities/index.js';
export { ReceiptError } from './errors.js';
export { ReceiptRepository } from './receipt-repository.js';
export { receiptView } from './receipt-view.js';
export { ReceiptsModule } from './receipts.module.js';
