import { Module } from '@nestjs/common';

import { SiteBackupsModule } from '../site-backups/index.js';
import { SiteProgramsModule } from '../site-programs/index.js';

import { BundledPrograms } from './bundled-programs.js';
import { DeployOperations, DeployOrders, TryProgramOperations } from './deploy.operations.js';
import { DeploymentDatabase } from './deployment-database.js';
import { DeploymentFiles } from './deployment-files.js';
import { DeploymentInstall } from './deployment-install.js';
import { DeploymentRecords } from './deployment-records.js';
import { DeploymentParts, DeploymentRunner, LostDeployments } from './deployment-runner.js';
import { DeploymentServing } from './deployment-serving.js';
import { DeploymentSnapshot } from './deployment-snapshot.js';
import { DeploymentSteps, CommonPlaceholders } from './deployment-steps.js';
import { DeploymentUndo } from './deployment-undo.js';
import { DeploymentWork } from './deployment-work.js';
import { deploymentOperations } from './deployment.operations.js';
import { ProgramArchives } from './program-archives.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { ProgramPictures } from './program-pictures.js';
import { ProgramRows } from './program-rows.js';
import { ProgramTransfer } from './program-transfer.js';
import { ProgramTransferOperations } from './program-transfer.operations.js';
import { ProgramOperations } from './program.operations.js';

/** Programs installed on sites with one click: their catalogue, and the installations. */
@Module({
  imports: [SiteBackupsModule, SiteProgramsModule],
  providers: [
    ProgramArchives,
    ProgramPictures,
    ProgramCatalogue,
    BundledPrograms,
    ProgramFit,
    ProgramRows,
    DeploymentRecords,
    DeploymentDatabase,
    DeploymentSnapshot,
    DeploymentFiles,
    DeploymentServing,
    DeploymentSteps,
    CommonPlaceholders,
    DeploymentInstall,
    DeploymentUndo,
    DeploymentWork,
    DeploymentParts,
    DeploymentRunner,
    LostDeployments,
    DeployOrders,
    ProgramOperations,
    ProgramTransfer,
    ProgramTransferOperations,
    DeployOperations,
    TryProgramOperations,
    ...deploymentOperations,
  ],
  exports: [BundledPrograms, DeploymentRecords, ProgramCatalogue, ProgramFit, ProgramPictures, ProgramRows, ProgramTransfer],
})
export class DeploymentsModule {}
