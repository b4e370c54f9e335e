import type { StoreItem, StoreVersion } from '../entities/index.js';
import type { StoreCall } from '../call/index.js';

/** What happens to a version once it is there, before anybody has looked at it; what decides is above this folder. */
export abstract class SubmissionFollowUp {
  /** In the transaction that keeps the version: what {@link submitted} does is done later where this process ends before it has. */
  abstract keep(version: StoreVersion, call: StoreCall): Promise<void>;

  /** @returns whether it is published already */
  abstract submitted(item: StoreItem, version: StoreVersion, call: StoreCall): Promise<boolean>;
}
