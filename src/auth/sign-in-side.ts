import type { Scope } from '../sdk/index.js';

/** Where somebody can sign in: the sides of the panel, and the store. Accounts of two of them have nothing to do with each other. */
export type SignInSide = Scope | 'store';
