import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { Operation, SuccessReply, readIdList } from '../../operations/index.js';
import { PaymentError } from '../errors.js';
import { OrderRemoval } from '../orders/index.js';
import { OrderIdInput } from '../payment.inputs.js';

/** Maximum orders deleted per request. */
const MAX_ORDERS = 500;

/** Fields of `ddscxz`. */
export class OrderIdsInput {
  /** JSON array of ids, or ids separated by commas. */
  @IsString() @MaxLength(20_000) idsz!: string;
}

/** Deletes unpaid orders. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderRemovalOperations {
  constructor(private readonly removal: OrderRemoval) {}

  @Operation({ side: 'admin', gn: 'ddsc', auth: 'admin', input: OrderIdInput, audit: 'payment.audit.deleted', rate: 'write' })
  async deleteOne({ id }: OrderIdInput): Promise<SuccessReply> {
    const { number } = await this.removal.delete(id);
    return new SuccessReply('payment.deleted', { id }, { n: 1, what: number });
  }

  /** Deletes those that may be deleted; the others are kept and counted. */
  @Operation({ side: 'admin', gn: 'ddscxz', auth: 'admin', input: OrderIdsInput, audit: 'payment.audit.deleted', rate: 'write' })
  async deleteMany({ idsz }: OrderIdsInput): Promise<SuccessReply> {
    const ids = readIdList(idsz).ids.slice(0, MAX_ORDERS);
    const numbers: string[] = [];
    for (const id of ids) {
      try {
        numbers.push((await this.removal.delete(id)).number);
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
      }
    }
    if (numbers.length === 0) throw new PaymentError('NOTHING_DELETED');
    const left = ids.length - numbers.length;
    const what = numbers.slice(0, 5).join(', ') + (numbers.length > 5 ? ' …' : '');
    return new SuccessReply(
      left === 0 ? 'payment.deleted' : 'payment.deleted_some',
      { n: numbers.length, left },
      { n: numbers.length, left, what },
    );
  }
}
