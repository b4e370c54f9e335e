import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Who sells, as receipts name him. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly taxNumber: string;
  readonly contact: string;
  /** A line at the foot. */
  readonly footer: string;
}

/** Who paid, as he wants to be named. */
export interface Buyer {
  readonly name: string;
  readonly taxNumber: string;
  readonly address: string;
  readonly mail: string;
}

/** The receipt of a paid order. Never deleted: its number would be missing. */
@Entity('SVC_receipt')
@Unique('UQ_SVC_receipt_order', ['orderId'])
@Unique('UQ_SVC_receipt_number', ['year', 'place'])
@Index('IX_SVC_receipt_made', ['madeAt', 'id'])
export class Receipt {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  /** Year it was made in, in the zone of the panel, and its place among those of the year: 1, 2, 3 … */
  @IntegerColumn() year!: number;
  @IntegerColumn() place!: number;
  /** As it was when the receipt was made. */
  @JsonColumn() seller!: Seller;
  @JsonColumn() buyer!: Buyer;
  /** Whether the buyer asks for an invoice. */
  @FlagColumn({ name: 'wants_invoice', default: false }) wantsInvoice!: boolean;
  /** Number of the invoice he got; empty: none yet. */
  @StringColumn(64, { name: 'invoice_number', default: '' }) invoiceNumber!: string;
  @TimeColumn({ name: 'made_at' }) madeAt!: Date;
}

/** What people know a receipt by, such as `2026-000001`. */
export const receiptNumber = ({ year, place }: Pick<Receipt, 'year' | 'place'>): string => `${year}-${String(place).padStart(6, '0')}`;
