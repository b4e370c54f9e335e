import type { StoreUser } from '../entities/index.js';
import { shape } from '../http/index.js';

/** An account as its owner and administrators see it: never the hash. */
export const USER = shape.named(
  'User',
  shape.record({
    id: shape.id(),
    username: shape.text(undefined, { minLength: 2, maxLength: 30 }),
    email: shape.text(undefined, { format: 'email' }),
    role: shape.oneOf('admin', 'developer'),
    avatar: shape.text('Path under /uploads/images/, or empty'),
    bio: shape.text(undefined, { maxLength: 500 }),
    status: shape.oneOf('active', 'banned'),
    created_at: shape.time(),
    updated_at: shape.time(),
  }),
);

/** {@link USER} of a row. */
export function userWire({ id, username, email, role, avatar, bio, status, createdAt, updatedAt }: StoreUser): object {
  return { id, username, email, role, avatar, bio, status, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
