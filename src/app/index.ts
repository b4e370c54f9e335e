export { startPanel, type Panel } from './bootstrap.js';
export { closeOnSignal } from './graceful-shutdown.js';
export { announce, startMessage } from './start-message.js';
