import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** One-time enrollment token of a new agent. */
@Entity('SVC_node_token')
@Unique('UQ_SVC_node_token_hash', ['tokenHash'])
@Index('IX_SVC_node_token_node', ['nodePk'])
export class NodeToken {
  @PrimaryGeneratedColumn() id!: number;
  /** SHA-256 in hex; the token itself is not stored. */
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  /** `SVC_node.id` */
  @IntegerColumn({ name: 'node_pk' }) nodePk!: number;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
  @TimeColumn({ name: 'used_at', nullable: true }) usedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
