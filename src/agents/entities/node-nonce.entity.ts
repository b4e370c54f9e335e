import { Entity, Index, PrimaryColumn } from 'typeorm';

import { TimeColumn } from '../../database/index.js';

/**
 * A nonce a node has used: the row's key is the replay check. No number of its own: a few thousand nodes would use up the
 * 32 bits of one within weeks.
 */
@Entity('SVC_node_nonce')
@Index('IX_SVC_node_nonce_expires', ['expiresAt'])
export class NodeNonce {
  @PrimaryColumn({ type: 'varchar', length: 64, name: 'node_id' }) nodeId!: string;
  @PrimaryColumn({ type: 'varchar', length: 80 }) nonce!: string;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}
