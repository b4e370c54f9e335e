import { isEmail } from 'class-validator';

import type { Buyer } from './entities/index.js';

/** The buyer's input, and whether an invoice is requested. */
export interface BuyerForm {
  readonly buyer: Buyer;
  readonly wantsInvoice: boolean;
  /** Text keys of the errors, by field. */
  readonly problems: Readonly<Record<string, string>>;
}

const TAX_NUMBER = /^[\p{L}\p{N} .-]{0,32}$/u;

/** Parses the form of the receipt page. */
export function readBuyer(body: Readonly<Record<string, string | undefined>>): BuyerForm {
  const text = (name: string): string => (body[name] ?? '').replace(/\s+/gu, ' ').trim();
  const buyer = { name: text('name'), taxNumber: text('tax_number'), address: text('address'), mail: text('mail') };
  const problems = {
    ...((buyer.name === '' || buyer.name.length > 120) && { name: 'receipts.field_name' }),
    ...(!TAX_NUMBER.test(buyer.taxNumber) && { tax_number: 'receipts.field_tax' }),
    ...(buyer.address.length > 200 && { address: 'receipts.field_address' }),
    ...(buyer.mail !== '' && !isEmail(buyer.mail) && { mail: 'receipts.field_mail' }),
  };
  return { buyer, wantsInvoice: body.invoice === '1', problems };
}
