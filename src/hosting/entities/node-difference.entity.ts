import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn } from '../../database/index.js';
import type { TextRef } from '../../common/index.js';

/**
 * How something on a server differs from what the panel has written down: a site no account knows, one that carries somebody else's mark,
 * one that is not there, one that stands otherwise, one under another id; one whose domains, settings or certificate are others.
 */
export type DifferenceKind = 'unknown' | 'foreign' | 'missing' | 'differing' | 'moved' | 'domains' | 'settings' | 'certificate';

/** Something the last comparison of a server found. The rows of a server are those of one comparison: the next one takes their place. */
@Entity('SVC_bt_difference')
@Index('IX_SVC_bt_difference_bt', ['nodeId', 'id'])
export class NodeDifference {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'bt_id' }) nodeId!: number;
  @StringColumn(16) kind!: DifferenceKind;
  @StringColumn(255, { name: 'site_name' }) siteName!: string;
  @StringColumn(255) username!: string;
  /** 0 for a site no account knows. */
  @IntegerColumn({ name: 'zj_id', default: 0 }) accountId!: number;
  /** Ids of a moved site: what is written down, and what the server says. */
  @StringColumn(64, { name: 'id_before', default: '' }) from!: string;
  @StringColumn(64, { name: 'id_after', default: '' }) to!: string;
  /** `open`; `done`, it was repaired; `failed` for {@link reason}. */
  @Column('varchar', { length: 8, default: 'open' }) state!: 'open' | 'done' | 'failed';
  @JsonColumn({ nullable: true }) reason!: TextRef | null;
}
