import './texts.js';

export { COMMAND_TASK } from './command-actions.js';
export { CommandPages } from './command.pages.js';
export { addressesError } from './database-addresses.js';
export { DatabaseBackups } from './database-backups.js';
export { DATABASE_TASK } from './database-actions.js';
export { DatabaseDownloadController } from './database-download.controller.js';
export { DatabasePages } from './database.pages.js';
export { driverTurn } from './action-queue.js';
export { shownVersion } from './php-version.js';
export { programError } from './program-errors.js';
export { ProgramPages } from './program.pages.js';
export { SiteProgramsModule } from './site-programs.module.js';
export { databaseOf, hasDatabase, phpOf } from './site-state.js';
