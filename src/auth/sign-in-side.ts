import type { Scope } from '../sdk/index.js';

/** Accounts with panel sessions: those of its two sides, and customers, who own hosts. */
export type AccountSide = Scope | 'customer';

/** Sign-in realms: the panel's and the store. Accounts of different realms are unrelated. */
export type SignInSide = AccountSide | 'store';

/** Realms in which password attempts are counted: also plugins' own accounts, whose devices and failures are not recorded. */
export type TriedSide = SignInSide | 'plugin';
