import { shape, type Shape } from '../http/index.js';

const ITEM_FIELDS = {
  id: shape.integer(),
  type: shape.oneOf('plugin', 'theme'),
  slug: shape.text(),
  name: shape.text(),
  version: shape.text(),
  author_id: shape.integer(),
  author_name: shape.text(),
  price: shape.number('Yuan'),
  description: shape.text('HTML that was sanitized'),
  main_image: shape.text(),
  screenshots: shape.text('JSON text of an array'),
  sha256: shape.text('SHA-256 of the package'),
  zip_size: shape.integer('Bytes'),
  downloads: shape.integer(),
  status: shape.oneOf('pending', 'approved', 'rejected', 'suspended'),
  requires_svc: shape.text(),
  category: shape.text(),
  tags: shape.text('JSON text of an array'),
  homepage: shape.text(),
  created_at: shape.time(),
  updated_at: shape.time(),
};

const VERSION_FIELDS = {
  id: shape.integer(),
  item_id: shape.integer(),
  version: shape.text(),
  zip_size: shape.integer('Bytes'),
  sha256: shape.text(),
  changelog: shape.text(),
  requires_svc: shape.text('Panels it runs on, a semver range; empty for any'),
  status: shape.oneOf('pending', 'approved', 'rejected', 'superseded'),
  signature: shape.text('Ed25519, base64'),
  key_id: shape.text(),
  signed_at: shape.nullable(shape.time()),
  created_at: shape.time(),
};

/** What everybody may know of an item. */
export const ITEM: Shape = shape.record(ITEM_FIELDS);
/** What its author sees. */
export const OWN_ITEM: Shape = shape.record({ ...ITEM_FIELDS, review_msg: shape.text() });
/** An item as its reader may see it: author and administrators get the reviewer's note as well. */
export const ITEM_DETAIL: Shape = { ...shape.record({ ...ITEM_FIELDS, review_msg: shape.text() }), required: Object.keys(ITEM_FIELDS) };
/** A version as its author sees it. */
export const OWN_VERSION: Shape = shape.record({ ...VERSION_FIELDS, review_msg: shape.text(), decided_at: shape.nullable(shape.time()) });
/** A version as its reader may see it. */
export const VERSION: Shape = { ...OWN_VERSION, required: Object.keys(VERSION_FIELDS) };

/** Fields of the form that submits an item. */
export const ITEM_FORM = {
  type: shape.oneOf('plugin', 'theme'),
  slug: shape.text(),
  name: shape.text(),
  version: shape.text(),
  description: shape.text('HTML'),
  price: { ...shape.number('Yuan'), optional: true },
  category: { ...shape.text(), optional: true },
  tags: { ...shape.text('JSON text of an array'), optional: true },
  homepage: { ...shape.text(), optional: true },
  main_image: { ...shape.text(), optional: true },
  requires_svc: { ...shape.text(), optional: true },
  zipfile: { ...shape.text('The package, at most 50 MB'), format: 'binary' },
};

/** Fields of the form that submits a version. */
export const VERSION_FORM = {
  version: shape.text(),
  changelog: { ...shape.text(), optional: true },
  zipfile: { ...shape.text('The package, at most 50 MB'), format: 'binary' },
};
