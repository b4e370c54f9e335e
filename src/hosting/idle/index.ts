export { IdleBook } from './idle-book.js';
export { IdleDeeds } from './idle-deeds.js';
export { IDLE_RUN_TASK, IdleHosts } from './idle-hosts.js';
export { IdleOperations } from './idle.operations.js';
export { IdleModule } from './idle.module.js';
export { idleForm, idleSettings, isAnyOn } from './idle-settings.js';
