import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { PaymentError } from '../errors.js';

/** The installation's currency: can be chosen before the first order, then it is fixed. */
@Injectable()
export class CurrencyChoice {
  private readonly money;

  constructor(
    database: Database,
    private readonly settings: SiteSettings,
  ) {
    this.money = database.statement<{ some: number }>(
      'SELECT CASE WHEN EXISTS (SELECT 1 FROM {Order}) OR EXISTS (SELECT 1 FROM SVC_credit_transfer) THEN 1 ELSE 0 END AS some',
    );
  }

  /** Returns whether it can still be changed. */
  async isOpen(): Promise<boolean> {
    return Number((await this.money.get())?.some) === 0;
  }

  /** @param code one of `CURRENCY_CODES` @throws PaymentError CURRENCY_FIXED */
  async choose(code: string): Promise<void> {
    if (code === this.settings.current.currency) return;
    if (!(await this.isOpen())) throw new PaymentError('CURRENCY_FIXED', {}, { hb: 'payment.currency_fixed' });
    await this.settings.change({ currency: code });
  }
}
