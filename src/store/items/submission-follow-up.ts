import type { StoreItem, StoreVersion } from '../entities/index.js';
import type { StoreCall } from '../call/index.js';

/** Port for what follows the submission of a version, such as publishing it for a trusted author; the review implements it. */
export abstract class SubmissionFollowUp {
  /** In the transaction that keeps the version: what {@link submitted} does is done later where this process ends before it has. */
  abstract keep(version: StoreVersion, call: StoreCall): Promise<void>;

  /** @returns whether it is published already */
  abstract submitted(item: StoreItem, version: StoreVersion, call: StoreCall): Promise<boolean>;
}
