/** Owner of what is the panel's own: operations, listeners, jobs, entries of menus. No plugin may be called that. */
export const CORE_OWNER = 'core';
