import { ApiProperty, type FormValues, versionOf } from '../../http/index.js';

import type { StoreRole, StoreUser } from '../entities/index.js';
import { ID, ROW_VERSION, TIME } from '../http/index.js';

/** An account as shown to its owner and to administrators; never includes the password hash. */
export class User {
  @ApiProperty(ID) id!: number;
  @ApiProperty({ minLength: 2, maxLength: 30 }) username!: string;
  @ApiProperty({ format: 'email' }) email!: string;
  @ApiProperty({ enum: ['admin', 'developer'] }) role!: StoreRole;
  @ApiProperty({ description: 'Path under /uploads/images/, or empty' }) avatar!: string;
  @ApiProperty({ maxLength: 500 }) bio!: string;
  @ApiProperty({ enum: ['active', 'banned'] }) status!: StoreUser['status'];
  @ApiProperty({
    description: 'Whether an administrator trusts the author: new versions are published immediately, ' + 'except for spot checks',
  })
  trusted!: boolean;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) updated_at!: string;
}

/** The caller's own account with the version of its form. */
export class OwnUser extends User {
  @ApiProperty(ROW_VERSION) row_version!: string;
}

/** Converts a row to {@link User}. */
export function userWire({ id, username, email, role, avatar, bio, status, trustedAt, createdAt, updatedAt }: StoreUser): User {
  const times = { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
  return { id, username, email, role, avatar, bio, status, trusted: trustedAt != null, ...times };
}

/** Converts a row to {@link OwnUser}. */
export const ownUserWire = (row: StoreUser): OwnUser => ({ ...userWire(row), row_version: versionOf(profileForm(row)) });

/** Values of the profile form, for its row version. The avatar is only compared, not shown. */
export const profileForm = ({ email, avatar, bio }: StoreUser): FormValues => ({ email, avatar: { secret: avatar }, bio });
