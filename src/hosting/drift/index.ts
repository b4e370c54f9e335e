export { DriftModule } from './drift.module.js';
export { NodeDifferences } from './node-differences.js';
export { SiteRepair } from './site-repair.js';
export { SiteServing } from './site-serving.js';
