export { DRIFT_TASK, DriftModule } from './drift.module.js';
export { NodeDifferences } from './node-differences.js';
export { SiteRepair } from './site-repair.js';
export { type ServedKind, SiteServing } from './site-serving.js';
