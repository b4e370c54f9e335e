import type { Scope } from '../sdk/index.js';

/** Whose accounts have sessions of the panel: those of its two sides, and customers, who own hosts. */
export type AccountSide = Scope | 'customer';

/** Where somebody can sign in: the panel, and the store. Accounts of two of them have nothing to do with each other. */
export type SignInSide = AccountSide | 'store';

/** Where tries of passwords are counted: accounts of plugins too, whose devices and failures nobody keeps. */
export type TriedSide = SignInSide | 'plugin';
