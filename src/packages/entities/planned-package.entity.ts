import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';
import type { HostQuota } from '../../sdk/index.js';

/** A package change to be made at a host's next renewal. Void if the host's package is no longer the one it was planned from. */
@Entity('SVC_planned_package')
@Unique('UQ_SVC_planned_package_host', ['hostId'])
export class PlannedPackage {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @StringColumn(190, { name: 'from_package' }) fromPackage!: string;
  @StringColumn(190, { name: 'to_package' }) toPackage!: string;
  /** Name of the new package. */
  @StringColumn(80) name!: string;
  @JsonColumn() limits!: HostQuota;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
