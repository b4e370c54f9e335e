import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn } from '../../database/index.js';
import type { TextRef } from '../../common/index.js';

/**
 * How a server differs from the panel's records: a site without an account, with another account's mark, missing, in another state, or
 * under another id; or with other domains, settings or certificate.
 */
export type DifferenceKind = 'unknown' | 'foreign' | 'missing' | 'differing' | 'moved' | 'domains' | 'settings' | 'certificate';

/** A difference found by the last comparison of a server. Each comparison replaces the rows of the previous one. */
@Entity('SVC_bt_difference')
@Index('IX_SVC_bt_difference_bt', ['nodeId', 'id'])
export class NodeDifference {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'bt_id' }) nodeId!: number;
  @StringColumn(16) kind!: DifferenceKind;
  @StringColumn(255, { name: 'site_name' }) siteName!: string;
  @StringColumn(255) username!: string;
  /** 0 for a site without an account. */
  @IntegerColumn({ name: 'zj_id', default: 0 }) accountId!: number;
  /** Site ids of a moved site: the recorded one, and the one on the server. */
  @StringColumn(64, { name: 'id_before', default: '' }) from!: string;
  @StringColumn(64, { name: 'id_after', default: '' }) to!: string;
  /** `open`; `done`: repaired; `failed`: see {@link reason}. */
  @Column('varchar', { length: 8, default: 'open' }) state!: 'open' | 'done' | 'failed';
  @JsonColumn({ nullable: true }) reason!: TextRef | null;
}
