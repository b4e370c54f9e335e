import type { StoreCaller } from './store-call.js';

/** Port that resolves the sender of a request; implemented by the accounts module. */
export abstract class StoreCallers {
  /**
   * @param sessionToken value of the session cookie
   * @param authorization raw `Authorization` header
   */
  abstract find(sessionToken: string | undefined, authorization: string | undefined): Promise<StoreCaller | null>;
}
