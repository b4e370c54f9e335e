import './texts.js';

import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ACCOUNT_CONTROLLERS, ACCOUNT_SERVICES, StoreSessions } from './accounts/index.js';
import { AuditNames, AuditTrail, StoreAuditLog } from './audit/index.js';
import { CATALOG, CatalogController, FollowedIndex } from './catalog/index.js';
import { DocsController, StoreDescription } from './docs/index.js';
import { DownloadCounter, DownloadsController, SigningKeyController } from './downloads/index.js';
import { StoreGuard, UnknownPathController, UploadAdmission } from './http/index.js';
import { ImagesController, ImageUploadController, ImageUploads } from './images/index.js';
import {
  BlockedFiles,
  Categories,
  DeveloperController,
  EditRequests,
  ItemsController,
  OwnItems,
  PackageIntake,
  PreviewController,
  PublicItems,
  SlugClaims,
  StorageHealth,
  STORE_PLACES,
  StoreSweep,
  Submissions,
} from './items/index.js';
import {
  AdminItemsController,
  AdminLists,
  AuditController,
  BlockedFileGate,
  Decisions,
  DownloadDays,
  EditDecisions,
  GraveFindingGate,
  Moderation,
  ModerationController,
  PackageView,
  PackageViewController,
  ReportsController,
  StoreStats,
} from './review/index.js';
import { UpdateCheck, UpdateCheckController } from './updates/index.js';
import { UploadRefusals } from './uploads/index.js';
import { FallbackController, PagesController, STORE_WEB, StorePages } from './web/index.js';

/** What developers publish. */
const ITEMS = [
  ...STORE_PLACES,
  StorageHealth,
  BlockedFiles,
  EditRequests,
  OwnItems,
  PackageIntake,
  SlugClaims,
  StoreSweep,
  Submissions,
  ImageUploads,
  UploadRefusals,
];
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
  providers: [
    StoreGuard,
    UploadAdmission,
    StoreAuditLog,
    AuditNames,
    AuditTrail,
    StoreDescription,
    ...ACCOUNT_SERVICES,
    ...ITEMS,
    ...REVIEW,
    ...PUBLIC,
    ...STORE_WEB,
  ],
  exports: [StoreSessions, StorageHealth, FollowedIndex, StorePages],
})
export class StoreModule {}

/** What a process without a panel needs besides: it answers whatever nobody else does, and therefore stands behind every other module. */
@Module({ imports: [StoreModule], controllers: [FallbackController] })
export class StoreAloneModule {}
