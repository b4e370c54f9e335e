export { STALL_THRESHOLD, watchStalls, type Stall, type StallListener } from './watchdog.js';
