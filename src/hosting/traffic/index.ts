export { HISTORY_MONTHS, TrafficRepository as TrafficRepository } from './traffic-repository.js';
export { TrafficMeter } from './traffic-meter.js';
