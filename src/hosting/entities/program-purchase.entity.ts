import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, TimeColumn } from '../../database/index.js';

import { DeployProgram } from './deploy-program.entity.js';
import { HostingAccount } from './hosting-account.entity.js';

/**
 * A program bought for a site: paid once, and installable there any number of times. Deleted with the account, so that a later account with
 * the same name does not inherit it.
 */
@Entity('SVC_program_purchase')
@Unique('UQ_SVC_program_purchase', ['programId', 'accountId'])
export class ProgramPurchase {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'program_id' }) programId!: number;
  @ManyToOne(() => DeployProgram, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'program_id', foreignKeyConstraintName: 'FK_SVC_program_purchase_bs' })
  program?: DeployProgram;
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_program_purchase_zj' })
  account?: HostingAccount;
  /** The order that paid for it; null: imported from another panel. */
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
