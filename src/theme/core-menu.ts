import type { Undo } from '../common/index.js';
import type { MenuRecord, Scope } from '../sdk/index.js';
import { CORE_OWNER, type MenuRegistry } from './registries/index.js';

/** The panel's own menu entries; titles are text keys. Plugins' entries stand at 50 where they say nothing. */
const CORE_MENU: Record<Scope, MenuRecord[]> = {
  admin: [
    { title: 'theme.menu.admin_home', icon: 'mdi-view-dashboard-outline', order: 10, url: '/admin/' },
    {
      title: 'theme.menu.system',
      icon: 'mdi-cog-outline',
      order: 80,
      children: [
        { title: 'theme.menu.site', order: 10, url: '/admin/settings?tab=site' },
        { title: 'theme.menu.user_side', order: 15, url: '/admin/settings?tab=user' },
        { title: 'theme.menu.account', order: 20, url: '/admin/settings?tab=account' },
        { title: 'theme.menu.api', order: 30, url: '/admin/settings?tab=api' },
        { title: 'theme.menu.payments', order: 40, url: '/admin/settings?tab=payments' },
      ],
    },
  ],
  user: [{ title: 'theme.menu.user_home', icon: 'mdi-view-dashboard-outline', order: 10, url: '/user/' }],
};

/** Registers the panel's own menu entries; called once when the theme module starts. */
export function registerCoreMenu(menus: MenuRegistry): Undo[] {
  return (['admin', 'user'] as const).flatMap((scope) => CORE_MENU[scope].map((menu) => menus.add(scope, menu, CORE_OWNER)));
}
