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

/** Maximum orders per request. */
const MAX_ORDERS = 500;

/** Fields of `listskd`. */
export class ReceiptListInput extends ListInput {
  /** Created on this day or later, `YYYY-MM-DD`. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Created on this day or earlier. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
  /** Filters by requested or issued invoices. */
  @IsOptional() @IsIn(['', 'asked', 'issued']) fp: '' | 'asked' | 'issued' = '';
}

/** Fields of `skdpl`: either some orders, or all that were paid in a period. */
export class ReceiptOrdersInput {
  /** Order ids, as a JSON array or separated by commas; without it, the period decides. */
  @IsOptional() @IsString() @MaxLength(20_000) idsz?: string;
  /** Paid on this day or later, `YYYY-MM-DD`; empty: the 30 days up to the last one. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) from?: string;
  /** Paid on this day or earlier; empty: today. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(10) to?: string;
}

/** Fields of `skdsz`. */
export class SellerInput {
  @Trimmed() @IsString() @IsNotEmpty({ message: 'receipts.field_name' }) @MaxLength(120, { message: 'receipts.field_name' }) name!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) dz = '';
  /** Tax number. */
  @IsOptional() @Trimmed() @Matches(/^[\p{L}\p{N} .-]{0,32}$/u, { message: 'receipts.field_tax' }) sh = '';
  /** Contact information. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) lx = '';
  /** Footer line. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(200, { message: 'receipts.field_address' }) jz = '';
  @VersionField() row_version?: string;
}

/** Fields of `skdfp`. */
export class InvoiceInput {
  @RowId() id!: number;
  /** Invoice number; empty: none. */
  @IsOptional() @Trimmed() @Matches(/^[^\p{Cc}]{0,64}$/u, { message: 'receipts.field_invoice' }) fph = '';
  @VersionField() row_version?: string;
}

/** Form values of an invoice, by field name. */
export const invoiceForm = ({ invoiceNumber }: Pick<Receipt, 'invoiceNumber'>): FormValues => ({ fph: invoiceNumber });

/** Form values of the seller, by field name. */
export const sellerForm = ({ name, address, taxNumber, contact, footer }: Seller) => ({
  name,
  dz: address,
  sh: taxNumber,
  lx: contact,
  jz: footer,
});

/** Receipt administration. Source: docs/panel-api.md "Receipts". */
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

  /** Creates the missing receipts of the chosen orders, or of the orders of a period. */
  @Operation({ side: 'admin', gn: 'skdpl', auth: 'admin', input: ReceiptOrdersInput, audit: 'receipts.audit_made', rate: 'write' })
  async makeMany({ idsz, from, to }: ReceiptOrdersInput): Promise<SuccessReply> {
    if (idsz === undefined) return this.makeOfDays(from, to);
    const ids = readIdList(idsz).ids.slice(0, MAX_ORDERS);
    const n = await this.repository.makeMissing(ids);
    if (n === 0) throw new ReceiptError('NOTHING_TO_MAKE');
    return new SuccessReply('receipts.made', { n, left: ids.length - n }, { n, left: ids.length - n });
  }

  private async makeOfDays(from?: string, to?: string): Promise<SuccessReply> {
    const days = this.days.read(from, to);
    const { total, ids } = await this.repository.without(days, MAX_ORDERS);
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
