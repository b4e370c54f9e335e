export { MenuRegistry, type MenuEntry, type MenuItem, type MenuOptions } from './menu-registry.js';
export { DEFAULT_ORDER, type ApplyHook, type Owned } from './owned-list.js';
export { PageBanners, type BannerAction, type BannerProvider, type BannerReader, type PageBanner } from './page-banners.js';
export { PAGE_NAME, isSafeUrl, pageUrl, requireScope, requireTitle } from './record-rules.js';
export { checkFields, fieldProblem } from './settings-fields.js';
export { SettingsTabRegistry, type ShownTab, type SettingsTabEntry } from './settings-tab-registry.js';
export {
  WIDGET_AREAS,
  WidgetRegistry,
  type Widget,
  type WidgetArea,
  type WidgetCallback,
  type WidgetEntry,
  type WidgetOptions,
  type WidgetRegistration,
} from './widget-registry.js';
