import { Entity, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/**
 * How a server is chosen among those of a group with free capacity: `least` the one with the fewest hosts, `fill` the one with the most, so
 * that servers fill up one by one, `weight` the one with the fewest hosts relative to its weight, `capacity` the one with the most free
 * capacity.
 */
export type PlacementRule = 'least' | 'fill' | 'weight' | 'capacity';

/** A group of servers from which one is chosen for each new host. */
@Entity('SVC_bt_group')
@Unique('UQ_SVC_bt_group_code', ['codeKey'])
export class ServerGroup {
  @PrimaryGeneratedColumn() id!: number;
  /** The name used by plans and `addzj`, after `auto:`. */
  @StringColumn(48) code!: string;
  /** The code in lower case: codes must not differ in case only, because people would confuse them. */
  @StringColumn(48, { name: 'code_key' }) codeKey!: string;
  /** Display name. */
  @StringColumn(64) name!: string;
  @StringColumn(10) rule!: PlacementRule;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** Membership of a server in a group. A server may be in several groups. */
@Entity('SVC_bt_group_server')
export class ServerGroupMember {
  @PrimaryColumn({ type: 'int', name: 'group_id' }) groupId!: number;
  @PrimaryColumn({ type: 'int', name: 'server_id' }) serverId!: number;
  @ManyToOne(() => ServerGroup, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'FK_SVC_bt_group_server_group' })
  group?: ServerGroup;
  @ManyToOne(() => HostingNode, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'server_id', foreignKeyConstraintName: 'FK_SVC_bt_group_server_server' })
  server?: HostingNode;
}
