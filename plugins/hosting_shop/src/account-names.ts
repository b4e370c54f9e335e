import { Inject, Injectable } from '@nestjs/common';
import { HostsService, type CallContext } from '@svc/sdk';

import { ShopOrders } from './shop-orders.js';

const USERNAME = /^[a-z0-9][a-z0-9_-]{5,31}$/i;

/** Which names buyers may give their hosts. */
@Injectable()
export class AccountNames {
  constructor(
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
  ) {}

  /** What is wrong with the form of a name; empty for nothing. */
  formProblem(username: string, ctx: CallContext): string {
    return USERNAME.test(username) ? '' : ctx.t('bad_username');
  }

  /** What is wrong with an account name; empty when it may be had. */
  async problem(username: string, ctx: CallContext): Promise<string> {
    const wrong = this.formProblem(username, ctx);
    if (wrong) return wrong;
    return (await this.hosts.get(username)) || (await this.orders.isNameWanted(username)) ? ctx.t('name_taken') : '';
  }
}
