export { HISTORY_MONTHS, TrafficRepository } from './traffic-repository.js';
export { TrafficMeter } from './traffic-meter.js';
