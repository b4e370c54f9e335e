import { Module } from '@nestjs/common';

import { AdoptionOperations } from './adoption.operations.js';
import { DriftOperations } from './drift.operations.js';
import { DriftNotices } from './drift-notices.js';
import { NightlyComparison } from './nightly-comparison.js';
import { NodeDifferences } from './node-differences.js';
import { ServedDifferences } from './served-differences.js';
import { SiteAdoption } from './site-adoption.js';

export { DRIFT_TASK } from './node-differences.js';

/**
 * Compares servers with the panel's rows and repairs differences; in a module of its own because the rest of hosting works without a queue.
 */
@Module({
  providers: [NodeDifferences, DriftNotices, NightlyComparison, ServedDifferences, DriftOperations, SiteAdoption, AdoptionOperations],
  exports: [NodeDifferences],
})
export class DriftModule {}
