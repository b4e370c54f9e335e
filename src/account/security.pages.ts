import { Controller } from '@nestjs/common';

import { SecondFactors } from '../auth/index.js';
import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { SecondFactorRule, type RequestContext } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { ACTIVITY_MENU, SECURITY_MENU, Page } from '../web/index.js';

/** Page of the caller's own second factor. */
@Controller()
export class SecurityPages {
  constructor(
    private readonly factors: SecondFactors,
    private readonly rule: SecondFactorRule,
    private readonly config: AppConfig,
  ) {}

  @Page({ side: 'admin', path: 'security', title: 'account.menu.second_factor', menu: { under: ACTIVITY_MENU, order: 22 }, own: true })
  admin(call: RequestContext): Promise<object> {
    return this.show('admin', call.admin!.id);
  }

  @Page({ side: 'user', path: 'security', title: 'account.menu.second_factor', menu: { under: SECURITY_MENU, order: 30 }, own: true })
  user(call: RequestContext): Promise<object> {
    return this.show('user', call.user!.id);
  }

  private async show(side: Scope, id: number): Promise<object> {
    const { enabled, since, codes } = await this.factors.state(side, id);
    return {
      second_factor: { enabled, codes, since: since ? legacyTime(since, this.config.timezone) : '', required: this.rule.required(side) },
    };
  }
}
