import './texts.js';

export { CommandPages } from './command.pages.js';
export { DatabaseDownloadController } from './database-download.controller.js';
export { DatabasePages } from './database.pages.js';
export { ProgramPages } from './program.pages.js';
export { SiteProgramsModule } from './site-programs.module.js';
