import type { MenuGroup } from '../web/index.js';

/** Where pages about who may do what stand in the menu. */
export const ACCESS: MenuGroup = { title: 'theme.menu.access', icon: 'mdi-account-key-outline', order: 85 };
