import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Who can have credit: a customer, or a hosting account that belongs to none. */
export type HolderKind = 'account' | 'customer';

/** What somebody has with the reseller. Only a movement of the ledger changes it. */
@Entity('SVC_credit')
@Unique('UQ_SVC_credit_holder', ['holderKind', 'holderId'])
@Index('IX_SVC_credit_balance', ['balance', 'id'])
export class Credit {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(16, { name: 'holder_kind' }) holderKind!: HolderKind;
  @IntegerColumn({ name: 'holder_id' }) holderId!: number;
  /** What the holder was called at the last movement: he may be gone. */
  @StringColumn(64) name!: string;
  /** Fen; never below zero. */
  @BigIntegerColumn({ default: 0 }) balance!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'moved_at' }) movedAt!: Date;
}
