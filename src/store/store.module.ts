import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { ACCOUNT_CONTROLLERS, ACCOUNT_SERVICES, StoreSessions } from './accounts/index.js';
import { AuditNames, AuditTrail, StoreAuditLog } from './audit/index.js';
import { CATALOG, CatalogController, FollowedIndex } from './catalog/index.js';
import { DocsController, StoreDescription } from './docs/index.js';
import { DownloadCounter, DownloadsController } from './downloads/index.js';
import { FeedsController, ItemFeedsController, NewestVersions } from './feeds/index.js';
import { StoreGuard, UnknownPathController, UploadAdmission } from './http/index.js';
import { ImagesController, ImageUploadController, ImageUploads } from './images/index.js';
import {
  BlockedFiles,
  Categories,
  CoAuthors,
  CoAuthorsController,
  DeveloperController,
  EditRequests,
  ItemDownloadNumbers,
  ItemDownloadsController,
  ItemsController,
  OwnItems,
  OwnVersions,
  OwnVersionsController,
  PackageIntake,
  PreviewController,
  PublicItems,
  SlugClaims,
  SubmissionFollowUp,
  StorageHealth,
  STORAGE_PROVIDERS,
  StoreSweep,
  Submissions,
} from './items/index.js';
import { ItemRatingsController, RatingModerationController, Ratings, RatingsController } from './ratings/index.js';
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
  ReviewQueue,
  ReviewQueueController,
  StoreStats,
  TrustedAuthors,
} from './review/index.js';
import {
  KeyChangeController,
  PackageSigner,
  Revocations,
  RevocationsController,
  SigningKeyController,
  SigningKeys,
} from './signing/index.js';
import { UpdateCheck, UpdateCheckController } from './updates/index.js';
import { UploadRefusals } from './uploads/index.js';
import { Webhooks, WebhooksController, WebhookSender } from './webhooks/index.js';
import { ApiPageController, FallbackController, PAGE_CONTROLLERS, PagesController, STORE_WEB, StoreRootController } from './web/index.js';

/** Services for developers' items. */
const ITEMS = [
  ...STORAGE_PROVIDERS,
  StorageHealth,
  BlockedFiles,
  CoAuthors,
  EditRequests,
  ItemDownloadNumbers,
  OwnItems,
  OwnVersions,
  PackageIntake,
  SlugClaims,
  StoreSweep,
  Submissions,
  ImageUploads,
  UploadRefusals,
];
/** Services that sign packages and revocations for panels. */
const SIGNING = [PackageSigner, Revocations, SigningKeys];
/** Services for administrators. */
const REVIEW = [
  AdminLists,
  BlockedFileGate,
  Decisions,
  DownloadDays,
  EditDecisions,
  GraveFindingGate,
  Moderation,
  PackageView,
  Ratings,
  ReviewQueue,
  StoreStats,
  TrustedAuthors,
  { provide: SubmissionFollowUp, useExisting: TrustedAuthors },
];
/** Public services. */
const PUBLIC = [...CATALOG, Categories, DownloadCounter, NewestVersions, PublicItems, UpdateCheck, Webhooks, WebhookSender];

/** Endpoints, also called by the pages. */
const ENDPOINTS = [
  ...ACCOUNT_CONTROLLERS,
  AuditController,
  DeveloperController,
  OwnVersionsController,
  CoAuthorsController,
  ItemDownloadsController,
  WebhooksController,
  PreviewController,
  AdminItemsController,
  ReviewQueueController,
  PackageViewController,
  CatalogController,
  ItemsController,
  ItemRatingsController,
  RatingsController,
  RatingModerationController,
  ReportsController,
  ModerationController,
  SigningKeyController,
  RevocationsController,
  KeyChangeController,
];

/** The store. {@link UnknownPathController} catches the rest of `/api/` and must be last. */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [
    ...ENDPOINTS,
    ApiPageController,
    DocsController,
    FeedsController,
    ItemFeedsController,
    UpdateCheckController,
    DownloadsController,
    ImageUploadController,
    ImagesController,
    StoreRootController,
    ...PAGE_CONTROLLERS,
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
    ...SIGNING,
    ...REVIEW,
    ...PUBLIC,
    ...STORE_WEB,
    // Pages call these controllers, so they are also providers.
    ...ENDPOINTS,
  ],
  exports: [StoreSessions, StorageHealth, FollowedIndex, ...STORE_WEB],
})
export class StoreModule {}

/** Additional module for a process without a panel. Its controller catches all remaining paths, so it must be imported last. */
@Module({ imports: [StoreModule], controllers: [FallbackController] })
export class StoreAloneModule {}
