import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { AppError, localeOf, translate } from '../common/index.js';
import { CouponError } from '../coupons/index.js';
import { HostingService } from '../hosting/index.js';
import { OperationPipeline, type ListReply, type RequestContext } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { Page, PageMissing } from '../web/index.js';

import { MAX_MONTHS } from './renewal-offers.js';

/** Renewal pages, for the owner and for administrators who order on the owner's behalf. */
@Controller()
export class RenewalPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly hosting: HostingService,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'user', path: 'renew', title: 'renewal.menu.renew', menu: { icon: 'mdi-calendar-refresh-outline', order: 27 } })
  ofUser(call: RequestContext): Promise<object> {
    return this.shown('user', call, call.user!.id, (call.query.yhq ?? '').trim().slice(0, 64));
  }

  @Page({ side: 'admin', path: 'host-renewal', view: 'renew', title: 'renewal.menu.renew', needs: ['xfjg'] })
  ofAdmin(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    return this.shown('admin', call, Number(id), '');
  }

  private async shown(side: Scope, call: RequestContext, id: number, coupon: string): Promise<object> {
    const { offers, problem } = await this.offers(side, call, id, coupon);
    const host = await this.hosting.get(id);
    if (!host) throw new PageMissing();
    return {
      host: { id: host.id, user: host.user, datae: host.expiresOn },
      offers,
      coupon: problem === '' ? coupon : '',
      coupon_typed: coupon,
      coupon_problem: problem,
      most_months: MAX_MONTHS,
      // One key per page view: pressing the button twice creates one order.
      request: randomUUID(),
      contact: this.settings.current.contact,
    };
  }

  /** If the coupon does not apply, prices stay unchanged and the reason is shown. */
  private async offers(side: Scope, call: RequestContext, id: number, coupon: string): Promise<{ offers: object[]; problem: string }> {
    const fields: Record<string, string> = side === 'admin' ? { id: String(id) } : coupon === '' ? {} : { yhq: coupon };
    try {
      // The operation checks access to the host.
      return { offers: [...((await this.pipeline.show(side, 'xfjg', fields, call)) as ListReply).rows], problem: '' };
    } catch (error) {
      if (error instanceof CouponError) {
        const { key, params } = error.told;
        return { ...(await this.offers(side, call, id, '')), problem: translate(localeOf(call.locale), key, params) };
      }
      throw error instanceof AppError ? new PageMissing() : error;
    }
  }
}
