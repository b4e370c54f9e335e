import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../../http/index.js';

import type { ItemType } from '../entities/index.js';
import { COUNT, ID, SHA256, TIME } from '../http/index.js';

/** Old and new value. */
const CHANGE = { type: 'array', items: { type: 'string' } } as const;

/** Details of an audit entry; which fields are set depends on its action. */
export class AuditDetail {
  @ApiPropertyOptional({ description: 'The note' }) msg?: string;
  @ApiPropertyOptional({ description: 'The state, or the key, before' }) from?: string;
  @ApiPropertyOptional({ description: 'The new key' }) to?: string;
  @ApiPropertyOptional({ type: 'string', nullable: true, description: 'The version that was decided' }) version?: string | null;
  @ApiPropertyOptional({ type: 'array', items: SHA256, description: 'Files on the list of blocked ones that were published knowingly' })
  blocked?: string[];
  @ApiPropertyOptional({ type: [String], description: 'Rules of the grave findings that were published knowingly' }) findings?: string[];
  @ApiPropertyOptional({ type: 'integer', description: 'How many packages were blocked, or unblocked' }) packages?: number;
  @ApiPropertyOptional() type?: string;
  @ApiPropertyOptional() slug?: string;
  @ApiPropertyOptional({ description: 'Of a deleted item' }) name?: string;
  @ApiPropertyOptional({ anyOf: [{ type: 'string' }, CHANGE] }) status?: string | string[];
  @ApiPropertyOptional(ID) author_id?: number;
  @ApiPropertyOptional(ID) item_id?: number;
  @ApiPropertyOptional() field?: string;
  @ApiPropertyOptional(CHANGE) role?: string[];
  @ApiPropertyOptional({ ...CHANGE, description: '`true` or `false`, before and after' }) trusted?: string[];
  @ApiPropertyOptional({ description: 'That it changed' }) email?: string;
  @ApiPropertyOptional({ description: 'That it changed' }) avatar?: string;
  @ApiPropertyOptional({ description: 'That it changed' }) bio?: string;
  @ApiPropertyOptional(SHA256) sha256?: string;
  @ApiPropertyOptional() reason?: string;
  @ApiPropertyOptional({ ...COUNT, description: 'Wrong passwords of an account from a network in an hour' }) failures?: number;
  @ApiPropertyOptional({ ...COUNT, description: 'Tokens for programs that ended with a password' }) tokens_ended?: number;
  @ApiPropertyOptional({ description: 'Name of a token' }) token?: string;
  @ApiPropertyOptional({ description: 'Name of a picture' }) file?: string;
  @ApiPropertyOptional({ type: [String] }) scopes?: string[];
}

/** The item an audit entry is about. */
export class AuditItem {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ enum: ['plugin', 'theme'] }) type!: ItemType;
  @ApiProperty({ description: 'As it is now, or was when it was deleted' }) name!: string;
  @ApiProperty({ description: 'Whether it is still there' }) exists!: boolean;
}

/** Account an audit entry is about, or the author of a deleted item. */
export class AuditUser {
  @ApiProperty(ID) id!: number;
  @ApiProperty() username!: string;
}

/** An audit log entry. */
@ApiSchema({ name: 'AuditEntry' })
export class AuditEntryDto {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ ...COUNT, description: '0: a visitor without an account' }) actor_id!: number;
  @ApiProperty() actor_name!: string;
  @ApiProperty({ description: 'Such as item.approve' }) action!: string;
  @ApiProperty({ enum: ['item', 'edit', 'user', 'report', 'rating', 'digest', 'key', 'token'] }) subject!: string;
  @ApiProperty(ID) subject_id!: number;
  @ApiProperty() detail!: AuditDetail;
  @ApiProperty({ type: AuditItem, nullable: true }) item!: AuditItem | null;
  @ApiProperty({ type: AuditUser, nullable: true }) user!: AuditUser | null;
  @ApiProperty() ip!: string;
  @ApiProperty(TIME) created_at!: string;
}
