export { watchStalls, type Stall } from './watchdog.js';
