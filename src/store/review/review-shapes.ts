import { shape } from '../http/index.js';
import { ITEM_NAMES } from '../items/index.js';

/** Somebody's report of an item. */
export const REPORT = shape.named(
  'Report',
  shape.record({
    id: shape.id(),
    item_id: shape.id(),
    ...ITEM_NAMES,
    reason: shape.oneOf('malware', 'security', 'copyright', 'spam', 'broken', 'other'),
    text: shape.text(undefined, { maxLength: 2_000 }),
    reporter_id: shape.nullable(shape.id('Who was signed in')),
    reporter_name: shape.nullable(shape.text()),
    ip: shape.text(),
    status: shape.oneOf('open', 'closed'),
    created_at: shape.time(),
    closed_at: shape.nullable(shape.time()),
  }),
);

/** A file no package should contain. */
export const BLOCKED_DIGEST = shape.named(
  'BlockedDigest',
  shape.record({
    id: shape.id(),
    sha256: shape.sha256(),
    reason: shape.text(undefined, { maxLength: 255 }),
    created_by: shape.id(),
    created_at: shape.time(),
  }),
);

/** The files of a version. */
export const PACKAGE_FILES = shape.named(
  'PackageFiles',
  shape.record({
    version: shape.text(),
    root: shape.text('Its one folder'),
    total_size: shape.count('Bytes, unpacked'),
    files: shape.list(shape.record({ path: shape.text('Below the root folder'), size: shape.count('Bytes'), sha256: shape.sha256() }), {
      maxItems: 500,
    }),
  }),
);

/** The store in numbers. */
export const STATS = shape.named(
  'Stats',
  shape.record({
    plugins: shape.count('Published'),
    themes: shape.count('Published'),
    pending: shape.count('Items that wait: never published, or with a version that waits'),
    users: shape.count(),
    downloads: shape.count('Of all items there are'),
    pendingEdits: shape.count('Edit requests that wait'),
    waiting_versions: shape.count(),
    oldest_waiting_seconds: shape.nullable(shape.count('How long the version that waits longest has; null where none does')),
    open_reports: shape.count(),
    items: shape.list(
      shape.record({
        type: shape.oneOf('plugin', 'theme'),
        status: shape.oneOf('pending', 'approved', 'rejected', 'suspended'),
        count: shape.count(),
      }),
    ),
    accounts: shape.record({
      active: shape.count(),
      banned: shape.count(),
      administrators: shape.count('Of the active ones'),
      new_7_days: shape.count(),
      new_30_days: shape.count(),
    }),
    downloads_today: shape.count('Today, UTC'),
    downloads_7_days: shape.count('Today and the six days before'),
    downloads_30_days: shape.count('Today and the 29 days before'),
    days: shape.list(shape.record({ day: shape.text('UTC', { format: 'date' }), downloads: shape.count(), visitors: shape.count() }), {
      maxItems: 30,
      description: 'Those of the last 30 that had any, oldest first',
    }),
    top: shape.list(shape.record({ id: shape.id(), name: shape.text(), downloads: shape.count() }), {
      maxItems: 10,
      description: 'Published items with most downloads',
    }),
    categories: shape.list(shape.record({ name: shape.text(), count: shape.count() }), {
      maxItems: 10,
      description: 'Those with most published items',
    }),
    storage: shape.record({
      packages: shape.count('Different ones'),
      package_bytes: shape.count(),
      pictures: shape.count(),
      picture_bytes: shape.count(),
    }),
    refused_uploads: shape.list(shape.record({ rule: shape.text('Such as `packages.path_traversal`'), count: shape.count() }), {
      description: 'Of the last 30 days, the most frequent first',
    }),
  }),
);
