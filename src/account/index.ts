import './texts.js';

export * from './account.module.js';
export { OneClick } from './one-click.js';
export { AccountPagesModule } from './account-pages.module.js';
