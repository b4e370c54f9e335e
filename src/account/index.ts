export * from './account.module.js';
export { OneClick } from './one-click.js';
