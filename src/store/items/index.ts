import './texts.js';

export { BlockedFiles } from './blocked-files.js';
export { Categories } from './categories.js';
export { CoAuthorForm, CoAuthorsController, InviteForm } from './co-authors.controller.js';
export { CoAuthors } from './co-authors.js';
export { DeveloperController } from './developer.controller.js';
export { EditRequests } from './edit-requests.js';
export { requestedPermissions, editRequestRow, itemRow, ownVersionRow, reviewedItemRow } from './item-rows.js';
export {
  EditRequest,
  Finding,
  Item,
  ItemDetail,
  ListedEditRequest,
  ListedVersion,
  OwnVersion,
  Review,
  ReviewedItem,
  ScreenshotsForm,
  Version,
} from './item.dto.js';
export { EVERY_FIELD, MAX_SCREENSHOTS } from './item-fields.js';
export { ItemDownloadsController } from './item-downloads.controller.js';
export { ItemDownloadNumbers } from './item-downloads.js';
export { ItemsController } from './items.controller.js';
export { OwnItems } from './own-items.js';
export { OwnVersions } from './own-versions.js';
export { OwnVersionsController, WithdrawForm } from './own-versions.controller.js';
export { PackageIntake } from './package-intake.js';
export { PreviewController, PreviewForm } from './preview.controller.js';
export { PublicItems } from './public-items.js';
export { SubmissionFollowUp } from './submission-follow-up.js';
export { SlugClaims } from './slug-claims.js';
export { StorageHealth } from './storage-health.js';
export { STORAGE_PROVIDERS } from './storage-providers.js';
export { StoreSweep } from './store-sweep.js';
export { type ReadFields, Submissions } from './submissions.js';
