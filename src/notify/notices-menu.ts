import type { MenuGroup } from '../web/index.js';

/** Menu group of this feature's pages, on both sides. */
export const NOTICES_MENU: MenuGroup = { title: 'notify.menu.notices', icon: 'mdi-bell-outline', order: 75 };
