import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** The seller as named on receipts. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly taxNumber: string;
  readonly contact: string;
  /** Footer line. */
  readonly footer: string;
}

/** The buyer as named on the receipt. */
export interface Buyer {
  readonly name: string;
  readonly taxNumber: string;
  readonly address: string;
  readonly mail: string;
}

/** The receipt of a paid order. Never deleted, so that the numbers have no gaps. */
@Entity('SVC_receipt')
@Unique('UQ_SVC_receipt_order', ['orderId'])
@Unique('UQ_SVC_receipt_number', ['year', 'place'])
@Index('IX_SVC_receipt_made', ['madeAt', 'id'])
export class Receipt {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  /** Year of creation in the panel's zone, and the sequence number within the year: 1, 2, 3 … */
  @IntegerColumn() year!: number;
  @IntegerColumn() place!: number;
  /** Snapshot of the seller when the receipt was created. */
  @JsonColumn() seller!: Seller;
  @JsonColumn() buyer!: Buyer;
  /** Whether the buyer requested an invoice. */
  @FlagColumn({ name: 'wants_invoice', default: false }) wantsInvoice!: boolean;
  /** Number of the issued invoice; empty: none yet. */
  @StringColumn(64, { name: 'invoice_number', default: '' }) invoiceNumber!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
}

/** Returns the displayed number of a receipt, such as `2026-000001`. */
export const receiptNumber = ({ year, place }: Pick<Receipt, 'year' | 'place'>): string => `${year}-${String(place).padStart(6, '0')}`;
