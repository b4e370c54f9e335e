import { Database } from '../../src/database/index.js';
import { Customer } from '../../src/customers/index.js';

import type { TestPanel } from './panel.js';

/** A customer account of plugins. @returns its id */
export async function addCustomer(panel: TestPanel, username: string): Promise<number> {
  const now = new Date();
  const row = { username, usernameKey: username.toLowerCase(), passwordHash: 'x', createdAt: now, updatedAt: now };
  const { identifiers } = await panel.get(Database).repository(Customer).insert(row);
  return Number(identifiers[0]!.id);
}
