import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Holders of credit: customers, and hosting accounts without a customer. */
export type HolderKind = 'account' | 'customer';

/** A holder's credit with the reseller. Only changed by transfers of the ledger. */
@Entity('SVC_credit')
@Unique('UQ_SVC_credit_holder', ['holderKind', 'holderId'])
@Index('IX_SVC_credit_balance', ['balance', 'id'])
export class Credit {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(16, { name: 'holder_kind' }) holderKind!: HolderKind;
  @IntegerColumn({ name: 'holder_id' }) holderId!: number;
  /** The holder's name at the last transfer; the holder may have been deleted since. */
  @StringColumn(64) name!: string;
  /** Fen; never below zero. */
  @BigIntegerColumn({ default: 0 }) balance!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'moved_at' }) movedAt!: Date;
}
