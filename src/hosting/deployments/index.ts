import './texts.js';

export { DeployError } from './deploy-errors.js';
export { DeploymentRecords } from './deployment-records.js';
export { DeploymentPages } from './deployment.pages.js';
export { DeploymentsModule } from './deployments.module.js';
export { ProgramCatalogue } from './program-catalogue.js';
export { ProgramCataloguePages } from './program.pages.js';
export { ProgramFit } from './program-fit.js';
