import type { TextParams } from '../common/index.js';

/** An account found for a sign-in. */
export interface LoginCandidate {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  /** Why the account may not sign in despite the right password: suspended, expired. Shown only after the password was verified. */
  readonly refusal?: { text: string; params?: TextParams };
}

/** Directory of the user side's accounts; provided by the hosting module. */
export abstract class UserDirectory {
  /** Finds by login name, ignoring case. */
  abstract findForLogin(username: string): Promise<LoginCandidate | null>;
}
