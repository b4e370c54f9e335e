import { translate, type Locale, type TextParams } from '../../common/index.js';
import { permissionsOf, type PackageType } from '../../packaging/index.js';
import type { StoreEditRequest, StoreItem, StoreVersion } from '../entities/index.js';
import type { PackageFinding } from '../packages/index.js';

import type { EditRequest, Finding, Item, OwnItem, OwnVersion, ReviewedItem, Version } from './item.dto.js';

/** Public response form of an item. Prices are in yuan; tags and screenshots are JSON text, as deployed front ends expect. */
export function itemRow(item: StoreItem): Item {
  return {
    id: item.id,
    type: item.type,
    slug: item.slug,
    name: item.name,
    version: item.version,
    author_id: item.authorId,
    author_name: item.authorName,
    price: item.price / 100,
    description: item.description,
    main_image: item.mainImage,
    screenshots: JSON.stringify(item.screenshots),
    sha256: item.sha256,
    zip_size: item.zipSize,
    downloads: item.downloads,
    rating: item.ratingCount === 0 ? null : Math.round((item.ratingSum / item.ratingCount) * 10) / 10,
    ratings: item.ratingCount,
    status: item.status,
    requires_svc: item.requiresPanel,
    requires_mnbt: item.requiresPanel,
    category: item.category,
    tags: JSON.stringify(item.tags),
    homepage: item.homepage,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
  };
}

/** Response form of an item for its author and administrators, with the reviewer's note. */
export function ownItemRow(item: StoreItem): OwnItem {
  return { ...itemRow(item), review_msg: item.reviewMessage };
}

/** An item in administrators' lists: `pending_version` is the version to review, `item_status` the item's own status. */
export function reviewedItemRow(item: StoreItem, pendingVersion: string | null): ReviewedItem {
  return { ...ownItemRow(item), pending_version: pendingVersion, item_status: item.status };
}

/** Maximum versions in a response, because a changelog may be 40 KB. Older versions are still available by their number. */
export const MAX_VERSIONS = 200;

/** Public response form of a version. */
export function versionRow(version: StoreVersion, type: PackageType): Version {
  return {
    id: version.id,
    item_id: version.itemId,
    version: version.version,
    channel: version.channel,
    zip_size: version.zipSize,
    sha256: version.sha256,
    changelog: version.changelog,
    requires_svc: version.requiresPanel,
    requires_mnbt: version.requiresPanel,
    permissions: requestedPermissions(version, type),
    status: version.status,
    signature: version.signature,
    key_id: version.keyId,
    signed_at: version.signedAt?.toISOString() ?? null,
    author_keys: version.authorKeys === '' ? [] : version.authorKeys.split(' '),
    created_at: version.createdAt.toISOString(),
  };
}

/** Returns the permissions a version requests: at most 50 names of 210 characters; none for themes. */
export function requestedPermissions({ manifest }: StoreVersion, type: PackageType): string[] {
  if (type === 'theme') return [];
  return permissionsOf(manifest)
    .map((name) => name.slice(0, 210))
    .slice(0, 50);
}

/** Response form of a version for its author and administrators. */
export function ownVersionRow(version: StoreVersion, type: PackageType): OwnVersion {
  return {
    ...versionRow(version, type),
    review_msg: version.reviewMessage,
    decided_at: version.decidedAt?.toISOString() ?? null,
    withdrawn_at: version.withdrawnAt?.toISOString() ?? null,
    withdrawn_reason: version.withdrawnReason,
    spot_check: version.spotCheck,
  };
}

/** An edit request. */
export function editRequestRow(request: StoreEditRequest): EditRequest {
  return {
    id: request.id,
    item_id: request.itemId,
    field: request.field,
    old_value: request.oldValue,
    new_value: request.newValue,
    status: request.status,
    review_msg: request.reviewMessage,
    created_at: request.createdAt.toISOString(),
    decided_at: request.decidedAt?.toISOString() ?? null,
  };
}

/** A finding, fresh or stored. */
type AnyFinding = Pick<PackageFinding, 'rule' | 'severity' | 'file' | 'excerpt'> & {
  readonly line: number | null;
  readonly text: { readonly key: string; readonly params: TextParams };
};

/** Response form of a finding, in the reader's language. */
export function findingRow({ rule, severity, file, line, excerpt, text }: AnyFinding, locale: Locale): Finding {
  return { rule, severity, file, line: line || null, excerpt, text: translate(locale, text.key, text.params) };
}
