import { Injectable } from '@nestjs/common';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { legacyTime, toYuan } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { checkVersion, type FormValues, nextVersion, VersionField, versionOf } from '../http/index.js';
import { ListInput, ListReply, Operation, readIdList, RowId, SuccessReply, Trimmed } from '../operations/index.js';
import { DayRange, daysOf, payPagePath } from '../payment/index.js';
import { SiteSettings } from '../site/index.js';

import { receiptNumber, type Receipt, type Seller } from './entities/index.js';
import { ReceiptError } from './errors.js';
import { ReceiptRepository, sellerOf, type ListedReceipt } from './receipt-repository.js';

/** Orders of one call. */
const MOST = 500;

/** Fields of `listskd`. */
export class ReceiptListInput extends ListInput {
  /** Made on this day or later, `YYYY-MM-DD`. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Made on this day or before. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
  /** Whether an invoice is wanted, or there. */
  @IsOptional() @IsIn(['', 'asked', 'issued']) fp: '' | 'asked' | 'issued' = '';
}

/** Fields of `skdpl`: some orders, or all that were paid on some days. */
export class ReceiptOrdersInput {
  /** Ids of orders, as a JSON array or with commas; left out, the days say which. */
  @IsOptional() @IsString() @MaxLength(20_000) idsz?: string;
  /** Paid on this day or later, `YYYY-MM-DD`; empty: 30 days, the last one included. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Paid on this day or before; empty: today. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
}

/** Fields of `skdsz`. */
export class SellerInput {
  @Trimmed() @IsString() @IsNotEmpty({ message: 'receipts.field_name' }) @MaxLength(120, { message: 'receipts.field_name' }) name!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) dz = '';
  /** Tax number. */
  @IsOptional() @Trimmed() @Matches(/^[\p{L}\p{N} .-]{0,32}$/u, { message: 'receipts.field_tax' }) sh = '';
  /** How to reach him. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) lx = '';
  /** Line at the foot. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) jz = '';
  @VersionField() row_version?: string;
}

/** Fields of `skdfp`. */
export class InvoiceInput {
  @RowId() id!: number;
  /** Number of the invoice; empty: there is none. */
  @IsOptional() @Trimmed() @Matches(/^[^\p{Cc}]{0,64}$/u, { message: 'receipts.field_invoice' }) fph = '';
  @VersionField() row_version?: string;
}

/** What the form of an invoice shows, by the names of its fields. */
export const invoiceForm = ({ invoiceNumber }: Pick<Receipt, 'invoiceNumber'>): FormValues => ({ fph: invoiceNumber });

/** What the form of the seller shows, by the names of its fields. */
export const sellerForm = ({ name, address, taxNumber, contact, footer }: Seller) => ({
  name,
  dz: address,
  sh: taxNumber,
  lx: contact,
  jz: footer,
});

/** Receipts, for the reseller. Source: docs/panel-api.md "Receipts". */
@Injectable()
export class ReceiptOperations {
  constructor(
    private readonly repository: ReceiptRepository,
    private readonly settings: SiteSettings,
    private readonly days: DayRange,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listskd', auth: 'admin', input: ReceiptListInput, audit: null, rate: 'read' })
  async page({ page, limit, ss, fp, from, to }: ReceiptListInput): Promise<ListReply> {
    const days = daysOf({ from, to }, this.config.timezone);
    const found = await this.repository.page({ keyword: ss ?? '', invoice: fp, ...days, offset: (page - 1) * limit, limit });
    return new ListReply(
      found.total,
      found.rows.map((row) => this.row(row)),
    );
  }

  /** Makes those the chosen orders, or the orders of some days, have none of yet. */
  @Operation({ side: 'admin', gn: 'skdpl', auth: 'admin', input: ReceiptOrdersInput, audit: 'receipts.audit_made', rate: 'write' })
  async makeMany({ idsz, from, to }: ReceiptOrdersInput): Promise<SuccessReply> {
    if (idsz === undefined) return this.makeOfDays(from, to);
    const ids = readIdList(idsz).ids.slice(0, MOST);
    const n = await this.repository.makeMissing(ids);
    if (n === 0) throw new ReceiptError('NOTHING_TO_MAKE');
    return new SuccessReply('receipts.made', { n, left: ids.length - n }, { n, left: ids.length - n });
  }

  private async makeOfDays(from?: string, to?: string): Promise<SuccessReply> {
    const days = this.days.read(from, to);
    const { total, ids } = await this.repository.without(days, MOST);
    const n = await this.repository.makeMissing(ids);
    if (n === 0) throw new ReceiptError('NONE_MISSING', { days: days.days });
    return new SuccessReply('receipts.made_of_days', { n, left: total - n }, { n, left: total - n, days: days.days });
  }

  @Operation({ side: 'admin', gn: 'skdsz', auth: 'admin', input: SellerInput, audit: 'receipts.audit_seller', rate: 'write' })
  async saveSeller({ name, dz, sh, lx, jz, row_version }: SellerInput): Promise<SuccessReply> {
    const seller = { name, address: dz, taxNumber: sh, contact: lx, footer: jz };
    await this.settings.change({ receiptSeller: seller }, (row) => checkVersion(row_version, sellerForm(sellerOf(row))));
    return new SuccessReply('receipts.saved', nextVersion(row_version, sellerForm(seller)));
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'skdfp', auth: 'admin', input: InvoiceInput, audit: 'receipts.audit_invoice', rate: 'write' })
  async noteInvoice({ id, fph, row_version }: InvoiceInput): Promise<SuccessReply> {
    await this.repository.noteInvoice(id, fph, (present) => checkVersion(row_version, invoiceForm(present)));
    return new SuccessReply(fph === '' ? 'receipts.cleared' : 'receipts.noted', { id, fph }, { number: fph });
  }

  private row({ receipt, order, refunded }: ListedReceipt): Record<string, unknown> {
    const { id, buyer, wantsInvoice, invoiceNumber, madeAt } = receipt;
    return {
      id,
      sjh: receiptNumber(receipt),
      date: legacyTime(madeAt, this.config.timezone),
      ddh: order.number,
      dd_id: order.id,
      rmb: toYuan(order.amount),
      tk: refunded > 0 ? toYuan(refunded) : '',
      tt: buyer.name,
      sh: buyer.taxNumber,
      dz: buyer.address,
      yx: buyer.mail,
      gf: [buyer.name, buyer.taxNumber, buyer.address, buyer.mail].filter((line) => line !== '').join('\n'),
      fp: invoiceNumber !== '' ? 'issued' : wantsInvoice ? 'asked' : 'none',
      fph: invoiceNumber,
      row_version: versionOf(invoiceForm(receipt)),
      url: payPagePath(order, '/receipt'),
    };
  }
}
