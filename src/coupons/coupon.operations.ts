import { Injectable } from '@nestjs/common';

import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { ListReply, Operation, SuccessReply } from '../operations/index.js';
import { currency } from '../sdk/index.js';

import { CouponRepository, couponForm, couponVersion } from './coupon-repository.js';
import { CouponChangeInput, CouponIdInput, CouponInput, CouponListInput, couponOf, CouponSwitchInput } from './coupon.inputs.js';
import type { Coupon } from './entities/index.js';

/** Coupon administration. Source: docs/panel-api.md "Coupons". */
@Injectable()
export class CouponOperations {
  constructor(
    private readonly repository: CouponRepository,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listyhq', auth: 'admin', input: CouponListInput, audit: null, rate: 'read' })
  async list({ page, limit, ss }: CouponListInput): Promise<ListReply> {
    const { total, rows } = await this.repository.page(ss ?? '', (page - 1) * limit, limit);
    return new ListReply(
      total,
      rows.map((row) => this.row(row)),
    );
  }

  @Operation({ side: 'admin', gn: 'addyhq', auth: 'admin', input: CouponInput, audit: 'coupons.audit_added', rate: 'write' })
  async add(input: CouponInput): Promise<SuccessReply> {
    const coupon = couponOf(input);
    return new SuccessReply('coupons.saved', { id: await this.repository.add(coupon), yhm: coupon.code }, { code: coupon.code });
  }

  @Operation({ side: 'admin', gn: 'xgyhq', auth: 'admin', input: CouponChangeInput, audit: 'coupons.audit_changed', rate: 'write' })
  async change({ id, row_version, ...input }: CouponChangeInput): Promise<SuccessReply> {
    const coupon = couponOf(input);
    await this.repository.change(id, coupon, row_version);
    return new SuccessReply('coupons.saved', { id, yhm: coupon.code }, { code: coupon.code });
  }

  @Operation({ side: 'admin', gn: 'yhqkg', auth: 'admin', input: CouponSwitchInput, audit: 'coupons.audit_switched', rate: 'write' })
  async turn({ id, kg }: CouponSwitchInput): Promise<SuccessReply> {
    await this.repository.turn(id, kg);
    const { code } = (await this.repository.find(id)) ?? { code: String(id) };
    return new SuccessReply(kg ? 'coupons.switched_on' : 'coupons.switched_off', { id }, { code });
  }

  @Operation({ side: 'admin', gn: 'scyhq', auth: 'admin', input: CouponIdInput, audit: 'coupons.audit_deleted', rate: 'write' })
  async delete({ id }: CouponIdInput): Promise<SuccessReply> {
    const { code } = await this.repository.delete(id);
    return new SuccessReply('coupons.deleted', { id }, { code });
  }

  private row(coupon: Coupon): Record<string, unknown> {
    const { id, kind, value, used, most, active, createdAt } = coupon;
    const form = couponForm(coupon);
    return {
      id,
      ...form,
      yh: kind === 'fixed' ? `-${currency().sign}${form.rmb}` : `-${value}%`,
      ysy: used,
      sy: most === null ? String(used) : `${used} / ${most}`,
      kg: active,
      date: legacyTime(createdAt, this.config.timezone),
      row_version: couponVersion(coupon),
    };
  }
}
