import './texts.js';

export type { Chart, ChartSeries } from './chart.js';
export { fieldOfPlugin, fieldView, type DeclaredField, type FieldPlace } from './declared-field.js';
export * from './lists/index.js';
export { MenuOffers, OfferSource } from './menu-offers.js';
export { ACTIVITY_MENU, SECURITY_MENU } from './menu-groups.js';
export { NoticeBell, UnreadNotices } from './notice-bell.js';
export { PageAccess } from './page-access.js';
export { PageAnswers, type PageAnswer } from './page-answers.js';
export { Page } from './page.js';
export { PageMissing, PageRedirect, type MenuGroup, type PageBase, type PageDeclaration, type PageMenu } from './page-declaration.js';
export { PageRegistry } from './page-registry.js';
export { PageSender, type PageOptions } from './page-sender.js';
export { pluginPage } from './plugin-page.js';
export { SettingsTab, SettingsTabs, type SettingsTabDeclaration } from './settings-tabs.js';
export { SiteBrand } from './site-brand.js';
export { PageFilter, WebEntry, type PageHandler } from './web-entry.js';
export { WebModule } from './web.module.js';
