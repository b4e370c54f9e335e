export { IdleRepository } from './idle-repository.js';
export { DueIdleActions } from './due-idle-actions.js';
export { IdleActions } from './idle-actions.js';
export { IDLE_RUN_TASK, IdleHosts } from './idle-hosts.js';
export { IdleOperations } from './idle.operations.js';
export { IdleNotices } from './idle-notices.js';
export { IdleSigns } from './idle-signs.js';
export { IdleModule } from './idle.module.js';
export { idleForm, idleSettings, isAnyOn } from './idle-settings.js';
