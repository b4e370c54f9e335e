import { shape } from '../http/index.js';

const UPDATE = shape.named(
  'ItemUpdate',
  shape.record({
    type: shape.oneOf('plugin', 'theme'),
    slug: shape.text('As it was asked for'),
    version: shape.text('The published version'),
    changelog: shape.text(),
    download: shape.text('Path of the package'),
    sha256: shape.sha256(),
    signature: shape.text('Ed25519, base64'),
    key_id: shape.text(),
    requires: shape.text('Panel versions it needs: a range, or the lowest; may be empty'),
  }),
);

const CLOSED = shape.named(
  'ClosedItem',
  shape.record({
    type: shape.oneOf('plugin', 'theme'),
    slug: shape.text('As it was asked for'),
    reason: shape.text('What the administrator said'),
    since: shape.time(),
  }),
);

/** What has newer versions, and what is no longer offered. */
export const UPDATE_CHECK = shape.record({ updates: shape.list(UPDATE, { maxItems: 100 }), closed: shape.list(CLOSED, { maxItems: 100 }) });
