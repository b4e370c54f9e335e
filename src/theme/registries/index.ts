export { MenuRegistry, type MenuEntry, type MenuItem, type MenuOptions } from './menu-registry.js';
export { DEFAULT_ORDER, type Owned } from './owned-list.js';
export { PageBanners, type BannerReader, type PageBanner } from './page-banners.js';
export { PAGE_NAME, isSafeUrl, pageUrl, requireScope, requireTitle } from './record-rules.js';
export { checkFields, fieldProblem } from './settings-fields.js';
export { SettingsTabRegistry, type ShownTab } from './settings-tab-registry.js';
export { WIDGET_AREAS, WidgetRegistry, type Widget } from './widget-registry.js';
