import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { NamesService, SVC_FACADE, type SvcFacade } from '@svc/sdk';

import { isFinal, messageOf } from './refusals.js';
import { Sales, type Sale } from './sales.js';

/** Binds sold names to their hosts: immediately, and again periodically if a server did not answer. */
@Injectable()
export class Showing implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Sales) private readonly sales: Sales,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('cron', async () => {
      for (const sale of await this.sales.unshown()) await this.show(sale);
    });
  }

  /** Tries once; an error is stored in the row. */
  async show(sale: Sale): Promise<void> {
    try {
      await this.names.show(sale.name_id!, sale.host_id, sale.folder);
      await this.sales.tried(sale, null, false);
    } catch (error) {
      await this.sales.tried(sale, messageOf(error), isFinal(error));
    }
  }

  /** The same by order number. */
  async showOrder(orderNo: string): Promise<void> {
    const sale = await this.sales.find(orderNo);
    if (sale?.state === 'done' && sale.shown === 'no') await this.show(sale);
  }
}
