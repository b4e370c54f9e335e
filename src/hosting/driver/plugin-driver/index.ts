export { pluginDriver, type DriverCallGuard } from './plugin-driver.js';
