import './items/texts.js';
import './texts.js';

import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ACCOUNT_CONTROLLERS, ACCOUNT_SERVICES, StoreSessions } from './accounts/index.js';
import { AuditController, AuditNames, AuditTrail, StoreAuditLog } from './audit/index.js';
import { CATALOG, CatalogController } from './catalog/index.js';
import { DocsController, StoreRoutes } from './docs/index.js';
import { DownloadCounter } from './downloads/download-counter.js';
import { DownloadsController } from './downloads/downloads.controller.js';
import { SigningKeyController } from './downloads/signing-key.controller.js';
import { StoreGuard } from './http/store-access.js';
import { UploadAdmission } from './http/upload-admission.js';
import { UnknownPathController } from './http/unknown-path.controller.js';
import { ImageUploads } from './images/image-uploads.js';
import { ImagesController, ImageUploadController } from './images/images.controller.js';
import { BlockedFiles } from './items/blocked-files.js';
import { Categories } from './items/categories.js';
import { DeveloperController } from './items/developer.controller.js';
import { EditRequests } from './items/edit-requests.js';
import { ItemsController } from './items/items.controller.js';
import { OwnItems } from './items/own-items.js';
import { PackageIntake } from './items/package-intake.js';
import { PreviewController } from './items/preview.controller.js';
import { PublicItems } from './items/public-items.js';
import { SlugClaims } from './items/slug-claims.js';
import { StorageHealth } from './items/storage-health.js';
import { STORE_PLACES } from './items/store-places.js';
import { StoreSweep } from './items/store-sweep.js';
import { Submissions } from './items/submissions.js';
import { AdminItemsController } from './review/admin-items.controller.js';
import { AdminLists } from './review/admin-lists.js';
import { BlockedFileGate } from './review/blocked-file-gate.js';
import { GraveFindingGate } from './review/grave-finding-gate.js';
import { Decisions } from './review/decisions.js';
import { EditDecisions } from './review/edit-decisions.js';
import { Moderation } from './review/moderation.js';
import { ModerationController, ReportsController } from './review/moderation.controller.js';
import { PackageView } from './review/package-view.js';
import { PackageViewController } from './review/package-view.controller.js';
import { DownloadDays } from './review/download-days.js';
import { StoreStats } from './review/store-stats.js';
import { UpdateCheck, UpdateCheckController } from './updates/index.js';
import { UploadRefusals } from './uploads/upload-refusals.js';
import { LeftOverController, PagesController, STORE_WEB, StorePages } from './web/index.js';

/** What developers publish. */
const ITEMS = [...STORE_PLACES, StorageHealth, BlockedFiles, EditRequests, OwnItems, PackageIntake, SlugClaims, StoreSweep, Submissions, ImageUploads, UploadRefusals];
/** What administrators decide. */
const REVIEW = [AdminLists, BlockedFileGate, Decisions, DownloadDays, EditDecisions, GraveFindingGate, Moderation, PackageView, StoreStats];
/** What everybody finds and takes. */
const PUBLIC = [...CATALOG, Categories, DownloadCounter, PublicItems, UpdateCheck];

/** The store. {@link UnknownPathController} takes what is left under `/api/` and therefore stands last. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [
    ...ACCOUNT_CONTROLLERS,
    AuditController,
    DocsController,
    DeveloperController,
    PreviewController,
    AdminItemsController,
    PackageViewController,
    CatalogController,
    ItemsController,
    UpdateCheckController,
    DownloadsController,
    SigningKeyController,
    ReportsController,
    ModerationController,
    ImageUploadController,
    ImagesController,
    PagesController,
    UnknownPathController,
  ],
  providers: [StoreGuard, UploadAdmission, StoreAuditLog, AuditNames, AuditTrail, StoreRoutes, ...ACCOUNT_SERVICES, ...ITEMS, ...REVIEW, ...PUBLIC, ...STORE_WEB],
  exports: [StoreSessions, StorageHealth, StorePages],
})
export class StoreModule {}

/** What a process without a panel needs besides: it answers whatever nobody else does, and therefore stands behind every other module. */
@Module({ imports: [StoreModule], controllers: [LeftOverController] })
export class StoreAloneModule {}
