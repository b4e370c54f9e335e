import { translate, type Locale, type TextParams } from '../../common/index.js';
import { permissionsOf, type PackageType } from '../../packaging/index.js';
import type { StoreEditRequest, StoreItem, StoreVersion } from '../entities/index.js';
import type { PackageFinding } from '../packages/index.js';

import type { EditRequest, Finding, Item, OwnItem, OwnVersion, ReviewedItem, Version } from './item.dto.js';

/** Public wire form of an item. Prices are yuan, tags and screenshots JSON text, as deployed front ends read them. */
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

/** Wire form of an item for its author and administrators: with the reviewer's note. */
export function ownItemRow(item: StoreItem): OwnItem {
  return { ...itemRow(item), review_msg: item.reviewMessage };
}

/** An item in a list for administrators: `pending_version` is the one that waits, `item_status` how the item itself stands. */
export function reviewedItemRow(item: StoreItem, pendingVersion: string | null): ReviewedItem {
  return { ...ownItemRow(item), pending_version: pendingVersion, item_status: item.status };
}

/** Versions of one answer: a changelog may be 40 KB, and nobody reads further. Older ones are reached by their version. */
export const MAX_VERSIONS = 200;

/** Public wire form of a version. */
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
    permissions: askedBy(version, type),
    status: version.status,
    signature: version.signature,
    key_id: version.keyId,
    signed_at: version.signedAt?.toISOString() ?? null,
    author_keys: version.authorKeys === '' ? [] : version.authorKeys.split(' '),
    created_at: version.createdAt.toISOString(),
  };
}

/** Permissions a version asks for: at most 50 names of 210 characters; themes ask for none. */
export function askedBy({ manifest }: StoreVersion, type: PackageType): string[] {
  if (type === 'theme') return [];
  return permissionsOf(manifest)
    .map((name) => name.slice(0, 210))
    .slice(0, 50);
}

/** Wire form of a version for its author and administrators. */
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

/** A finding as it was made, or as it is kept. */
type AnyFinding = Pick<PackageFinding, 'rule' | 'severity' | 'file' | 'excerpt'> & {
  readonly line: number | null;
  readonly text: { readonly key: string; readonly params: TextParams };
};

/** A machine's finding in the reader's language. */
export function findingRow({ rule, severity, file, line, excerpt, text }: AnyFinding, locale: Locale): Finding {
  return { rule, severity, file, line: line || null, excerpt, text: translate(locale, text.key, text.params) };
}
