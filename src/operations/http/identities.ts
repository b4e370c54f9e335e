import type { AdminIdentity, UserIdentity } from '../../sdk/index.js';

/** Who the cookies of a request belong to. */
export abstract class Identities {
  /** The administrator signed in by this `admin_token`; null for none. */
  abstract admin(token: string): Promise<AdminIdentity | null>;
  /** The user signed in by this `user_token`; null for none, and for one who may not stay. */
  abstract user(token: string): Promise<UserIdentity | null>;
}
