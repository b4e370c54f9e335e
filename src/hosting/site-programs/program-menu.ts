import type { MenuGroup } from '../../web/index.js';

/** Menu group for the programs of a site; shows only what its server supports. */
export const PROGRAM_MENU: MenuGroup = { title: 'siteprograms.menu.programs', icon: 'mdi-application-cog-outline', order: 17 };
