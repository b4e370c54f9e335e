import { Entity, Index, PrimaryColumn } from 'typeorm';

import { TimeColumn } from '../../database/index.js';

/**
 * A used nonce; its primary key is the replay check. Without an auto-increment id: a few thousand nodes would exhaust 32 bits within weeks.
 */
@Entity('SVC_node_nonce')
@Index('IX_SVC_node_nonce_expires', ['expiresAt'])
export class NodeNonce {
  @PrimaryColumn({ type: 'varchar', length: 64, name: 'node_id' }) nodeId!: string;
  @PrimaryColumn({ type: 'varchar', length: 80 }) nonce!: string;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}
