import { Entity, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/**
 * How a server is chosen among those of a group that have room: `least` the one with the fewest hosts, `fill` the one with the most, so
 * that one is full before the next is begun, `weight` the one with the fewest hosts for its weight, `capacity` the one with the most room.
 */
export type PlacementRule = 'least' | 'fill' | 'weight' | 'capacity';

/** Servers among which one is chosen for each new host. */
@Entity('SVC_bt_group')
@Unique('UQ_SVC_bt_group_code', ['codeKey'])
export class ServerGroup {
  @PrimaryGeneratedColumn() id!: number;
  /** What plans and `addzj` name it by, behind `auto:`. */
  @StringColumn(48) code!: string;
  /** The code in lower case: two that differ in case only would be taken for each other. */
  @StringColumn(48, { name: 'code_key' }) codeKey!: string;
  /** What people call it. */
  @StringColumn(64) name!: string;
  @StringColumn(10) rule!: PlacementRule;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** A server of a group. One may be of several. */
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
