export { MonitorStats } from './monitor-stats.js';
export { RollUps } from './roll-ups.js';
export { percent, pointsWire, responseChart } from './stat-wire.js';
export { RANGES, UNIT_MS, beginOf, type Range } from './units.js';
