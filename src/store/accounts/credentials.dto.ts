import { ApiProperty, ApiSchema } from '../../http/index.js';

import type { TokenScope } from '../entities/index.js';
import { ID, TIME } from '../http/index.js';

/** A browser session. */
@ApiSchema({ name: 'Session' })
export class SessionDto {
  @ApiProperty(ID) id!: number;
  @ApiProperty() ip!: string;
  @ApiProperty() user_agent!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) seen_at!: string;
  @ApiProperty({ description: 'Whether it is the session of this request' }) current!: boolean;
}

/** Failed sign-ins from one network. */
@ApiSchema({ name: 'FailedSignIns' })
export class FailedSignInsDto {
  @ApiProperty({ description: 'An IPv4 address or an IPv6 network; empty for networks beyond the first 200' }) network!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Failed sign-ins since first_at' }) failures!: number;
  @ApiProperty(TIME) first_at!: string;
  @ApiProperty(TIME) last_at!: string;
  @ApiProperty({ description: 'Whether they were marked as seen' }) seen!: boolean;
}

/** An API token. */
export class Token {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ maxLength: 60 }) name!: string;
  @ApiProperty({ enum: ['read', 'publish'], isArray: true }) scopes!: readonly TokenScope[];
  @ApiProperty({ ...ID, nullable: true, description: 'The item it is limited to; null: all items of the account' }) item_id!: number | null;
  @ApiProperty(TIME) expires_at!: string;
  @ApiProperty({ ...TIME, nullable: true }) last_used_at!: string | null;
  @ApiProperty(TIME) created_at!: string;
}

/** A new API token, including its secret, which is shown only once. */
export class NewToken extends Token {
  @ApiProperty({ description: 'The token itself', pattern: '^svcs_[A-Za-z0-9_-]{43}$' }) token!: string;
}
