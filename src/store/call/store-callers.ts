import type { StoreCaller } from './store-call.js';

/** Port that resolves the sender of a request; the accounts implement it. */
export abstract class StoreCallers {
  /**
   * @param sessionToken of the session cookie
   * @param authorization the header, as it came
   */
  abstract find(sessionToken: string | undefined, authorization: string | undefined): Promise<StoreCaller | null>;
}
