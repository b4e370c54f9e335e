import type { FirstAdministrator, PasswordHasher } from '../../auth/index.js';
import { nameSkeleton, type Clock } from '../../common/index.js';
import { ConfigurationError, DEFAULT_ADMIN_PASSWORD } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { StoreUser, nameKey } from '../entities/index.js';

import { emailKey } from './names.js';

/**
 * Creates the administrator of a new store. Runs under the start-up lock.
 *
 * @returns false if an administrator exists already
 * @throws ConfigurationError if the name is too long
 */
export async function ensureStoreAdministrator(
  database: Database,
  hasher: PasswordHasher,
  clock: Clock,
  { username, password }: FirstAdministrator,
): Promise<boolean> {
  const rows = database.repository(StoreUser);
  if (await rows.existsBy({ role: 'admin' })) return false;
  if (username.length > 30) throw new ConfigurationError(['ADMIN_USERNAME may have at most 30 characters where the store runs']);
  const email = `${nameKey(username).replace(/[^\w.-]/g, '-')}@localhost`;
  const now = clock.now();
  // A developer with a look-alike name may exist and keeps the unique skeleton; the administrator is created without one.
  const usernameSkeleton = nameSkeleton(username);
  const isTaken = await rows.existsBy({ usernameSkeleton });
  await rows.insert({
    username,
    usernameKey: nameKey(username),
    usernameSkeleton: isTaken ? null : usernameSkeleton,
    passwordHash: await hasher.hash(password),
    hasDefaultPassword: password === DEFAULT_ADMIN_PASSWORD,
    email,
    emailKey: emailKey(email),
    role: 'admin',
    avatar: '',
    bio: '',
    status: 'active',
    createdAt: now,
    updatedAt: now,
  });
  return true;
}

/** Names of accounts that still have the published default password, at most 100. */
export async function storeNamesWithDefaultPassword(database: Database): Promise<string[]> {
  const found = await database.repository(StoreUser).find({ where: { hasDefaultPassword: true }, order: { id: 'ASC' }, take: 100 });
  return found.map(({ username }) => username);
}
