export { ProgramPages } from './program.pages.js';
export { SiteProgramsModule } from './site-programs.module.js';
