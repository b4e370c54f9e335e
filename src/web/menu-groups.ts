import type { MenuGroup } from './page-declaration.js';

/** Menu group of logs and the panel's health, shared by several features. */
export const ACTIVITY_MENU: MenuGroup = { title: 'theme.menu.activity', icon: 'mdi-pulse', order: 90 };

/** Menu group of sign-in settings on the user side. */
export const SECURITY_MENU: MenuGroup = { title: 'theme.menu.security', icon: 'mdi-shield-lock-outline', order: 90 };
