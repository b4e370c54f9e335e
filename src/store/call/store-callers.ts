import type { StoreCaller } from './store-call.js';

/** Who sends a request; accounts know. */
export abstract class StoreCallers {
  /**
   * @param sessionToken of the session cookie
   * @param authorization the header, as it came
   */
  abstract find(sessionToken: string | undefined, authorization: string | undefined): Promise<StoreCaller | null>;
}
