export { pluginDriver } from './plugin-driver.js';
