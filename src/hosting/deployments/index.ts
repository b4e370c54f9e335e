import './texts.js';

export { BundledPrograms } from './bundled-programs.js';
export { DeploymentRecords } from './deployment-records.js';
export { DeploymentPages } from './deployment.pages.js';
export { DeploymentsModule } from './deployments.module.js';
export { ProgramCatalogue } from './program-catalogue.js';
export { ProgramCataloguePages } from './program.pages.js';
export { ProgramFit } from './program-fit.js';
export { PROGRAM_PICTURES_PATH, ProgramPictures } from './program-pictures.js';
export { ProgramExportController } from './program-export.controller.js';
