/**
 * A menu entry. `page` names a page of the same plugin, `url` any other address.
 *
 * @example
 * ```ts
 * const menu: MenuRecord = { title: 'Coupons', icon: 'mdi-ticket', order: 60, children: [{ title: 'All', page: 'list' }] };
 * svc.svc_register_menu('admin', menu);
 * ```
 * @since 1.84.0
 */
export interface MenuRecord {
  title: string;
  /** Name of a Material Design icon, such as `mdi-home`. */
  icon?: string;
  /** Sort order, ascending; 50 by default. */
  order?: number;
  page?: string;
  url?: string;
  children?: MenuRecord[];
}

/**
 * A card on a dashboard. `html` is trusted and inserted unchanged.
 *
 * @example
 * ```ts
 * const used: WidgetRecord = { title: 'Coupons', html: '<p>7 used</p>', width: 4 };
 * svc.svc_register_widget('admin', 'main', () => used);
 * ```
 * @since 1.84.0
 */
export interface WidgetRecord {
  title?: string;
  html: string;
  /** Sort order, ascending; 50 by default. */
  order?: number;
  /** Width in columns of twelve, 1 to 12; 6 by default. */
  width?: number;
  /** Area of the dashboard: `top` is above everything else; `main` by default. */
  area?: string;
}

/**
 * A step of the setup guide for a new installation, which stays on the dashboard until every step is done. A step with the `id` of an
 * existing one replaces it.
 *
 * @example
 * ```ts
 * const step: SetupStepRecord = {
 *   id: 'coupons', title: 'A coupon for the first week',
 *   text: 'Give one to your first customers.',
 *   url: '/admin/plugin.php?p=coupons&page=list',
 *   label: 'Add one',
 *   done: false,
 * };
 * svc.svc_add_action('dashboard.admin.steps', (steps) => void steps.push(step));
 * ```
 * @since 1.84.0
 */
export interface SetupStepRecord {
  /** Matches `[a-z0-9_-]{1,64}`. The panel's own ids: `password`, `server`, `payment`, `shop`, `mail`. */
  id: string;
  title: string;
  /** What to do, and why; shown until the step is done. */
  text?: string;
  /** Where to do it: a path or an http(s) address. */
  url: string;
  /** Label of the button that leads there. */
  label?: string;
  done: boolean;
  /** An operation of the admin side that runs before the button opens `url`. */
  operation?: string;
  /** Sort order, ascending; 50 by default. The panel's own steps use 10, 20 and so on. */
  order?: number;
}

/**
 * A section of the home page. `html` is trusted and inserted unchanged.
 *
 * @example
 * ```ts
 * const prices: HomeBlockRecord = { id: 'prices', title: 'Prices', html: '<p>From 9.90</p>', order: 20 };
 * svc.svc_add_action('home.blocks', (blocks) => [...blocks, prices]);
 * ```
 * @since 1.84.0
 */
export interface HomeBlockRecord {
  /** Id of the section: its element is `block-{id}`. Matches `[a-zA-Z0-9_-]{1,64}`. */
  id?: string;
  title?: string;
  html: string;
  /** Sort order, ascending; 50 by default. */
  order?: number;
}

/**
 * A field of a settings tab that the panel renders, validates and stores as an option of the plugin.
 *
 * @example
 * ```ts
 * const prefix: SettingsField = { key: 'prefix', label: 'Prefix', type: 'text', default: 'SPRING', hint: 'Of new codes' };
 * svc.svc_register_settings_tab('admin', { title: 'Coupons', fields: [prefix] });
 * ```
 * @since 1.84.0
 */
export interface SettingsField {
  /** Option key, matches `[A-Za-z0-9_.-]{1,64}`. */
  key: string;
  label: string;
  type: 'text' | 'textarea' | 'password' | 'number' | 'switch' | 'select';
  default?: string | number | boolean;
  hint?: string;
  placeholder?: string;
  options?: { value: string; label: string }[];
}

/**
 * A tab of the admin settings page: a page of the plugin, a URL, or fields that the panel renders.
 *
 * @example
 * ```ts
 * const fields: SettingsField[] = [{ key: 'open', label: 'Open', type: 'switch', default: true }];
 * const tab: SettingsTabRecord = { id: 'coupons', title: 'Coupons', fields };
 * svc.svc_register_settings_tab('admin', tab);
 * ```
 * @since 1.84.0
 */
export interface SettingsTabRecord {
  id?: string;
  title: string;
  /** Sort order, ascending; 50 by default. */
  order?: number;
  page?: string;
  url?: string;
  fields?: SettingsField[];
}
