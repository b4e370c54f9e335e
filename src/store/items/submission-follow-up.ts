import type { StoreItem, StoreVersion } from '../entities/index.js';
import type { StoreCall } from '../call/index.js';

/** Port for steps after the submission of a version, such as publishing it for a trusted author; implemented by the review module. */
export abstract class SubmissionFollowUp {
  /** Enqueues {@link submitted} in the transaction that stores the version, so that it still runs if this process ends first. */
  abstract enqueue(version: StoreVersion, call: StoreCall): Promise<void>;

  /** @returns whether the version is already published */
  abstract submitted(item: StoreItem, version: StoreVersion, call: StoreCall): Promise<boolean>;
}
