import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FenColumn, FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/** A base domain whose second-level names are sold. */
@Entity('SVC_ym')
@Index('IX_SVC_ym_bt', ['nodeCode', 'id'])
@Index('IX_SVC_ym_url', ['domain'])
export class SaleDomain {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(128, { name: 'url' }) domain!: string;
  @StringColumn(64, { name: 'bt' }) nodeCode!: string;
  @ManyToOne(() => HostingNode, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'bt', referencedColumnName: 'code', foreignKeyConstraintName: 'FK_SVC_ym_bt' })
  node?: HostingNode;
  /** Fen. */
  @FenColumn({ name: 'jg', default: 0 }) price!: number;
  @FlagColumn({ name: 'kg', default: true }) onSale!: boolean;
  @StringColumn(255, { name: 'js', default: '' }) description!: string;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
}
