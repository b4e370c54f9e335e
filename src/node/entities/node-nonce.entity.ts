import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** A nonce a node has used: the unique row is the replay check. */
@Entity('SVC_node_nonce')
@Unique('UQ_SVC_node_nonce', ['nodeId', 'nonce'])
@Index('IX_SVC_node_nonce_expires', ['expiresAt'])
export class NodeNonce {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'node_id' }) nodeId!: string;
  @StringColumn(80) nonce!: string;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}
