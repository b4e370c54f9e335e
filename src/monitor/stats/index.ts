export { MonitorStats } from './monitor-stats.js';
export { RollUps } from './roll-ups.js';
export { percent, pointsWire, responseChart } from './stat-wire.js';
export { RANGES, type Range } from './units.js';
