import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Permissions of administrators; see `Access`. */
@Entity('SVC_admin_role')
@Unique('UQ_SVC_admin_role_name', ['nameKey'])
export class AdminRole {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) name!: string;
  @StringColumn(64, { name: 'name_key' }) nameKey!: string;
  /** Patterns over names of operations. */
  @JsonColumn() patterns!: string[];
  /** Ids of servers; null: all. */
  @JsonColumn({ nullable: true }) servers!: number[] | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
