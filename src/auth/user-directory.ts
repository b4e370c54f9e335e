import type { TextParams } from '../common/index.js';

/** An account that may be behind a sign-in. */
export interface LoginCandidate {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  /** Why the right password still does not let in: paused, expired. Told only to who knows the password. */
  readonly refusal?: { text: string; params?: TextParams };
}

/** Where the accounts of the user side are kept; the hosting module says so. */
export abstract class UserDirectory {
  /** By login name, ignoring case. */
  abstract findForLogin(username: string): Promise<LoginCandidate | null>;
}
