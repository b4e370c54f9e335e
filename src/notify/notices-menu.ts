import type { MenuGroup } from '../web/index.js';

/** Where the pages of this feature stand, on both sides. */
export const NOTICES_MENU: MenuGroup = { title: 'theme.menu.notices', icon: 'mdi-bell-outline', order: 75 };
