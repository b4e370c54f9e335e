import type { MenuGroup } from '../web/index.js';

/** Menu group of the access pages. */
export const ACCESS: MenuGroup = { title: 'access.menu.access', icon: 'mdi-account-key-outline', order: 85 };
