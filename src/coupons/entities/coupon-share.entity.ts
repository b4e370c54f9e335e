import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

import { Coupon } from './coupon.entity.js';

/** How often one customer has used a coupon. */
@Entity('SVC_coupon_share')
@Unique('UQ_SVC_coupon_share', ['couponId', 'who'])
export class CouponShare {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'coupon_id' }) couponId!: number;
  @ManyToOne(() => Coupon, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'coupon_id', foreignKeyConstraintName: 'FK_SVC_coupon_share_coupon' })
  coupon?: Coupon;
  @StringColumn(40) who!: string;
  @IntegerColumn({ default: 0 }) used!: number;
}
