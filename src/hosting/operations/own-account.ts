import type { CallContext } from '../../sdk/index.js';
import type { AccountStore } from '../accounts/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Returns the account of the calling user. @throws HostingError ACCOUNT_NOT_FOUND */
export async function ownAccount(store: AccountStore, { user }: CallContext): Promise<HostingAccount> {
  const account = user && (await store.find(user.id));
  if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
  return account;
}
