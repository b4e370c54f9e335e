import { Inject, Injectable } from '@nestjs/common';
import { HostsService, type CallContext } from '@svc/sdk';

import { ShopOrders } from './shop-orders.js';

const USERNAME = /^[a-z0-9][a-z0-9_-]{5,31}$/i;

/** Validates the names buyers choose for their hosts. */
@Injectable()
export class AccountNames {
  constructor(
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
  ) {}

  /** Validates the format of a name; empty if valid. */
  formProblem(username: string, ctx: CallContext): string {
    return USERNAME.test(username) ? '' : ctx.t('bad_username');
  }

  /** Validates an account name; empty if it is available. */
  async problem(username: string, ctx: CallContext): Promise<string> {
    const wrong = this.formProblem(username, ctx);
    if (wrong) return wrong;
    return (await this.hosts.get(username)) || (await this.orders.isNameWanted(username)) ? ctx.t('name_taken') : '';
  }
}
