import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../../http/index.js';

import type { ItemType } from '../entities/index.js';
import { COUNT, ID, SHA256, TIME } from '../http/index.js';

/** Old and new value. */
const CHANGE = { type: 'array', items: { type: 'string' } } as const;

/** Details of an audit entry; which fields are set depends on its action. */
export class AuditDetail {
  @ApiPropertyOptional({ description: 'Note of the decision' }) msg?: string;
  @ApiPropertyOptional({ description: 'Previous state or key' }) from?: string;
  @ApiPropertyOptional({ description: 'New key' }) to?: string;
  @ApiPropertyOptional({ type: 'string', nullable: true, description: 'The version the decision is about' }) version?: string | null;
  @ApiPropertyOptional({ type: 'array', items: SHA256, description: 'Blocked files the administrator acknowledged when publishing' })
  blocked?: string[];
  @ApiPropertyOptional({ type: [String], description: 'Rules of severe findings the administrator acknowledged when publishing' })
  findings?: string[];
  @ApiPropertyOptional({ type: 'integer', description: 'Number of packages that were blocked or unblocked' }) packages?: number;
  @ApiPropertyOptional() type?: string;
  @ApiPropertyOptional() slug?: string;
  @ApiPropertyOptional({ description: 'Name of a deleted item' }) name?: string;
  @ApiPropertyOptional({ anyOf: [{ type: 'string' }, CHANGE] }) status?: string | string[];
  @ApiPropertyOptional(ID) author_id?: number;
  @ApiPropertyOptional(ID) item_id?: number;
  @ApiPropertyOptional() field?: string;
  @ApiPropertyOptional(CHANGE) role?: string[];
  @ApiPropertyOptional({ ...CHANGE, description: '`true` or `false`: the old and the new value' }) trusted?: string[];
  @ApiPropertyOptional({ description: 'Present if it changed' }) email?: string;
  @ApiPropertyOptional({ description: 'Present if it changed' }) avatar?: string;
  @ApiPropertyOptional({ description: 'Present if it changed' }) bio?: string;
  @ApiPropertyOptional(SHA256) sha256?: string;
  @ApiPropertyOptional() reason?: string;
  @ApiPropertyOptional({ ...COUNT, description: 'Failed sign-ins to an account from one network within an hour' }) failures?: number;
  @ApiPropertyOptional({ ...COUNT, description: 'API tokens revoked with the password change' }) tokens_ended?: number;
  @ApiPropertyOptional({ description: 'Name of the API token' }) token?: string;
  @ApiPropertyOptional({ description: 'File name of the image' }) file?: string;
  @ApiPropertyOptional({ type: [String] }) scopes?: string[];
}

/** The item an audit entry is about. */
export class AuditItem {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ enum: ['plugin', 'theme'] }) type!: ItemType;
  @ApiProperty({ description: 'Current name, or the last one if deleted' }) name!: string;
  @ApiProperty({ description: 'Whether it still exists' }) exists!: boolean;
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
  @ApiProperty({ ...COUNT, description: '0 if the actor has no account' }) actor_id!: number;
  @ApiProperty() actor_name!: string;
  @ApiProperty({ description: 'Such as `item.approve`' }) action!: string;
  @ApiProperty({ enum: ['item', 'edit', 'user', 'report', 'rating', 'digest', 'key', 'token'] }) subject!: string;
  @ApiProperty(ID) subject_id!: number;
  @ApiProperty() detail!: AuditDetail;
  @ApiProperty({ type: AuditItem, nullable: true }) item!: AuditItem | null;
  @ApiProperty({ type: AuditUser, nullable: true }) user!: AuditUser | null;
  @ApiProperty() ip!: string;
  @ApiProperty(TIME) created_at!: string;
}
