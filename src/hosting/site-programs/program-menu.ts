import type { MenuGroup } from '../../web/index.js';

/** What a site runs, in the menu of its owner: as much of it as its server has. */
export const PROGRAM_MENU: MenuGroup = { title: 'theme.menu.programs', icon: 'mdi-application-cog-outline', order: 17 };
