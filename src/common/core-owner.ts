/** Owner of the panel's own operations, listeners, jobs and menu entries. No plugin may have this name. */
export const CORE_OWNER = 'core';
