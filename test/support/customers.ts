import { Database } from '../../src/database/index.js';
import { Customer } from '../../src/customers/index.js';

import type { TestPanel } from './panel.js';

/**
 * Inserts a customer account.
 *
 * @returns its id
 */
export function addCustomer(panel: TestPanel, username: string): Promise<number> {
  return insertCustomer(panel.get(Database), username);
}

/** Like {@link addCustomer}, with a database only. */
export async function insertCustomer(database: Database, username: string): Promise<number> {
  const now = new Date();
  const row = { username, usernameKey: username.toLowerCase(), passwordHash: 'x', createdAt: now, updatedAt: now };
  const { identifiers } = await database.repository(Customer).insert(row);
  return Number(identifiers[0]!.id);
}
