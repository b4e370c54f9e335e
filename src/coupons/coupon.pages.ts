import { Controller } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

import { CouponRepository, couponForm, couponVersion } from './coupon-repository.js';
import { CouponProducts } from './coupon-products.js';

const COUPONS = defineList({
  id: 'coupons',
  operation: 'listyhq',
  keyword: 'ss',
  empty: 'coupon.empty',
  columns: [
    { field: 'yhm', title: 'coupon.code', kind: 'code' },
    { field: 'name', title: 'coupon.name' },
    { field: 'yh', title: 'coupon.discount', whole: true },
    { field: 'sy', title: 'coupon.used', whole: true },
    { field: 'datea', title: 'coupon.from', kind: 'moment' },
    { field: 'dateb', title: 'coupon.until', kind: 'moment' },
    {
      field: 'kg',
      title: 'coupon.state',
      kind: 'badge',
      badges: { true: ['green', 'coupon.on'], false: ['secondary', 'coupon.off'] },
    },
  ],
  actions: [
    { label: 'coupon.open', operation: 'xgyhq', href: (row) => `/admin/coupon?id=${String(row.id)}` },
    {
      label: 'coupon.turn_off',
      when: (row) => row.kg === true,
      operation: 'yhqkg',
      fields: (row) => ({ id: String(row.id), kg: 'false' }),
      confirm: 'coupon.turn_off_confirm',
    },
    {
      label: 'coupon.turn_on',
      when: (row) => row.kg !== true,
      operation: 'yhqkg',
      fields: (row) => ({ id: String(row.id), kg: 'true' }),
    },
    { label: 'coupon.delete', tone: 'danger', operation: 'scyhq', when: (row) => row.ysy === 0, confirm: 'coupon.delete_confirm' },
  ],
});

/** List of coupons, and the page of one coupon with its statistics. */
@Controller()
export class CouponPages {
  constructor(
    private readonly repository: CouponRepository,
    private readonly products: CouponProducts,
  ) {}

  @Page({
    side: 'admin',
    path: 'coupons',
    title: 'coupons.menu.coupons',
    menu: { icon: 'mdi-ticket-percent-outline', order: 32 },
    lists: [COUPONS],
  })
  all(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'coupon', title: 'coupons.menu.coupons', needs: ['listyhq', 'xgyhq'] })
  async one(call: RequestContext): Promise<object> {
    const { id } = call.query;
    const coupon = id === undefined ? null : /^[1-9]\d{0,9}$/.test(id) ? await this.repository.find(Number(id)) : null;
    if (id !== undefined && coupon === null) throw new PageMissing();
    const chosen = new Set(coupon?.products ?? []);
    const offered = await this.products.all();
    // Products of a disabled plugin stay selected and visible.
    const others = [...chosen]
      .filter((product) => !offered.some((one) => one.id === product))
      .map((product) => ({ id: product, name: '' }));
    const figures = coupon && (await this.repository.figuresOf(coupon.id));
    return {
      coupon: coupon ? { id: coupon.id, ...couponForm(coupon), kg: coupon.active, ysy: coupon.used } : { id: 0, lx: 'fixed' },
      row_version: coupon ? couponVersion(coupon) : '',
      products: [...offered, ...others].map((product) => ({ ...product, chosen: chosen.has(product.id) })),
      figures: figures && { ...figures, given: toYuan(figures.given), earned: toYuan(figures.earned) },
    };
  }
}
