export { HISTORY_MONTHS, TrafficBook } from './traffic-book.js';
export { TrafficMeter } from './traffic-meter.js';
