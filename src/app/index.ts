export { startPanel, type Panel } from './bootstrap.js';
export { closeOnSignal } from './graceful-shutdown.js';
export { announce } from './start-message.js';
