import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { AppError, localeOf, toYuan, translate } from '../common/index.js';
import { CouponError } from '../coupons/index.js';
import { HostingService } from '../hosting/index.js';
import { OperationPipeline, type ListReply, type RequestContext } from '../operations/index.js';
import type { HostRecord, Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { Page, PageMissing } from '../web/index.js';

import { PackageChanges } from './package-changes.js';
import { PackageOffers } from './package-offers.js';
import type { PackageRow } from './package-rows.js';
import { PlannedPackages } from './planned-packages.js';
import { worthOf } from './package-value.js';

/** Package pages: for owners, and for administrators who order a change for them or assign a package. */
@Controller()
export class PackagePages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly hosting: HostingService,
    private readonly changes: PackageChanges,
    private readonly offers: PackageOffers,
    private readonly planned: PlannedPackages,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'user', path: 'package', title: 'packages.menu.package', menu: { icon: 'mdi-swap-vertical', order: 28 } })
  ofUser(call: RequestContext): Promise<object> {
    return this.shown('user', call, call.user!.id, (call.query.yhq ?? '').trim().slice(0, 64));
  }

  @Page({ side: 'admin', path: 'host-package', title: 'packages.menu.package', needs: ['bgjg'] })
  async ofAdmin(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    const shown = await this.shown('admin', call, Number(id), '');
    return { ...shown, all: await this.offers.of((await this.hosting.get(Number(id)))!) };
  }

  private async shown(side: Scope, call: RequestContext, id: number, coupon: string): Promise<object> {
    const { quotes, problem } = await this.quotes(side, call, id, coupon);
    const host = await this.hosting.get(id);
    if (!host) throw new PageMissing();
    const locale = localeOf(call.locale);
    const planned = await this.planned.of(host);
    return {
      host: { id: host.id, user: host.user, datae: host.expiresOn, package: host.package ?? '' },
      ...(await this.present(host, (key) => translate(locale, key))),
      quotes,
      pays_now: quotes.some(({ when }) => when === 'now'),
      coupon: problem === '' ? coupon : '',
      coupon_typed: coupon,
      coupon_problem: problem,
      planned: planned ? { name: planned.name } : null,
      // A new key per page view, so that a double click creates only one order.
      request: randomUUID(),
      contact: this.settings.current.contact,
    };
  }

  /** An invalid coupon leaves the prices unchanged and is reported. */
  private async quotes(side: Scope, call: RequestContext, id: number, coupon: string): Promise<{ quotes: PackageRow[]; problem: string }> {
    const fields: Record<string, string> = side === 'admin' ? { id: String(id) } : coupon === '' ? {} : { yhq: coupon };
    try {
      // Uses the operation, because it checks which hosts the caller may see.
      return { quotes: [...((await this.pipeline.show(side, 'bgjg', fields, call)) as ListReply<PackageRow>).rows], problem: '' };
    } catch (error) {
      if (error instanceof CouponError) {
        const { key, params } = error.told;
        return { ...(await this.quotes(side, call, id, '')), problem: translate(localeOf(call.locale), key, params) };
      }
      throw error instanceof AppError ? new PageMissing() : error;
    }
  }

  /** Returns the current package with its remaining value, or why it cannot be changed. */
  private async present(host: HostRecord, words: (key: string) => string): Promise<object> {
    try {
      const { present, daysLeft, paid, today, host: subject } = await this.changes.of(host.id);
      const worth = toYuan(worthOf(paid, { today, expiresOn: subject.expiresOn }));
      return { refused: '', present: present?.name ?? '', days_left: daysLeft, worth };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: words(error.shape.text), present: '', days_left: 0, worth: '' };
    }
  }
}
