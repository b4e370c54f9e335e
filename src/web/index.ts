import './texts.js';

export type { Chart } from './chart.js';
export { fieldOfPlugin, fieldView, type DeclaredField } from './declared-field.js';
export * from './lists/index.js';
export { OfferSource } from './menu-offers.js';
export { ACTIVITY_MENU, SECURITY_MENU } from './menu-groups.js';
export { NoticeBell, UnreadNotices } from './notice-bell.js';
export { PageAccess } from './page-access.js';
export { PageAnswers, type PageAnswer } from './page-answers.js';
export { Page } from './page.js';
export { PageMissing, PageRedirect, type MenuGroup, type PageBase, type PageDeclaration } from './page-declaration.js';
export { PageRegistry } from './page-registry.js';
export { PageSender } from './page-sender.js';
export { pluginPage } from './plugin-page.js';
export { SettingsTab, SettingsTabs } from './settings-tabs.js';
export { SiteBrand } from './site-brand.js';
export { PageFilter, WebEntry } from './web-entry.js';
export { WebModule } from './web.module.js';
