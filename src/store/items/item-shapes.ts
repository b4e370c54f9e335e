import { shape, type Shape } from '../http/index.js';
import { MANIFEST_PROBLEMS } from '../packages/index.js';

const TYPE = shape.oneOf('plugin', 'theme');
const ITEM_STATUS = shape.oneOf('pending', 'approved', 'rejected', 'suspended');
const VERSION_STATUS = shape.oneOf('pending', 'approved', 'rejected', 'superseded');
const VERSION_STRING = shape.text(undefined, { minLength: 1, maxLength: 32, pattern: '^[0-9A-Za-z.+_-]+$' });
const NOTE = shape.text('What the reviewer said', { maxLength: 2_000 });

const ITEM_FIELDS = {
  id: shape.id(),
  type: TYPE,
  slug: shape.text(undefined, { pattern: '^[A-Za-z0-9_-]{1,63}$' }),
  name: shape.text(undefined, { minLength: 1, maxLength: 100 }),
  version: VERSION_STRING,
  author_id: shape.id(),
  author_name: shape.text(undefined, { maxLength: 30 }),
  price: shape.number(
    'Yuan the author asks for, to be paid to the author: the store takes no payments, and downloads are open to everybody',
    { minimum: 0 },
  ),
  description: shape.text('HTML that was sanitized'),
  main_image: shape.text('Path under /uploads/images/, or empty'),
  screenshots: shape.text('JSON text of an array'),
  sha256: shape.sha256('Of the package'),
  zip_size: shape.count('Bytes of the package'),
  downloads: shape.count(),
  status: ITEM_STATUS,
  requires_svc: shape.text('Panel versions it needs: a range, or the lowest; may be empty', { maxLength: 50 }),
  requires_mnbt: shape.text('The same as `requires_svc`, under its older name', { maxLength: 50 }),
  category: shape.text(undefined, { maxLength: 40 }),
  tags: shape.text('JSON text of an array'),
  homepage: shape.text(undefined, { maxLength: 500 }),
  created_at: shape.time(),
  updated_at: shape.time(),
};

const VERSION_FIELDS = {
  id: shape.id(),
  item_id: shape.id(),
  version: VERSION_STRING,
  zip_size: shape.count('Bytes'),
  sha256: shape.sha256(),
  changelog: shape.text(undefined, { maxLength: 10_000 }),
  requires_svc: shape.text('Panels it runs on, a semver range; empty for any', { maxLength: 100 }),
  requires_mnbt: shape.text('The same as `requires_svc`, under its older name', { maxLength: 100 }),
  status: VERSION_STATUS,
  signature: shape.text('Ed25519, base64; empty until it is approved'),
  key_id: shape.text('The key it was signed with'),
  signed_at: shape.nullable(shape.time()),
  created_at: shape.time(),
};
const OWN_VERSION_FIELDS = { ...VERSION_FIELDS, review_msg: NOTE, decided_at: shape.nullable(shape.time()) };

/** What of its item a row names that is about something of it. */
export const ITEM_NAMES = { item_name: shape.text(), slug: shape.text(), type: TYPE };

/** What everybody may know of an item. */
export const ITEM: Shape = shape.named('Item', shape.record(ITEM_FIELDS));
/** What its author sees. */
export const OWN_ITEM: Shape = shape.named('OwnItem', shape.record({ ...ITEM_FIELDS, review_msg: NOTE }));
/** An item in a list for administrators. */
export const REVIEWED_ITEM: Shape = shape.named(
  'ReviewedItem',
  shape.record({
    ...ITEM_FIELDS,
    review_msg: NOTE,
    pending_version: shape.nullable(shape.text('The version that waits for a decision; null where none does')),
    item_status: { ...ITEM_STATUS, description: 'How the item itself stands: among those that wait, `status` is `pending` for every one' },
  }),
);
/** An item as its reader may see it: author and administrators get the reviewer's note as well. */
export const ITEM_DETAIL: Shape = shape.named('ItemDetail', {
  ...shape.record({ ...ITEM_FIELDS, review_msg: NOTE }),
  required: Object.keys(ITEM_FIELDS),
});
/** A version as its author sees it. */
export const OWN_VERSION: Shape = shape.named('OwnVersion', shape.record(OWN_VERSION_FIELDS));
/** A version as its reader may see it. */
export const VERSION: Shape = shape.named('Version', { ...shape.record(OWN_VERSION_FIELDS), required: Object.keys(VERSION_FIELDS) });
/** A version in a list of those of all items. */
export const LISTED_VERSION: Shape = shape.named(
  'ListedVersion',
  shape.record({ ...OWN_VERSION_FIELDS, ...ITEM_NAMES, item_status: ITEM_STATUS }),
);

const EDIT_FIELDS = {
  id: shape.id(),
  item_id: shape.id(),
  field: shape.oneOf('name', 'price', 'description', 'category', 'tags', 'homepage', 'main_image'),
  old_value: shape.text(),
  new_value: shape.text(),
  status: shape.oneOf('pending', 'approved', 'rejected', 'superseded'),
  review_msg: NOTE,
  created_at: shape.time(),
  decided_at: shape.nullable(shape.time()),
};
/** A change somebody asked for. */
export const EDIT_REQUEST: Shape = shape.named('EditRequest', shape.record(EDIT_FIELDS));
/** A change in a list of those of all items. */
export const LISTED_EDIT_REQUEST: Shape = shape.named('ListedEditRequest', shape.record({ ...EDIT_FIELDS, ...ITEM_NAMES }));

const FINDING = shape.named(
  'Finding',
  shape.record({
    rule: shape.text('Stable name, such as `eval`'),
    severity: shape.oneOf('info', 'warning', 'danger'),
    file: shape.text('Below the root folder; empty where it is about the whole package'),
    line: shape.nullable(shape.id('From 1; null where it is about the whole file')),
    excerpt: shape.text('The place on one line; secrets are masked'),
    text: shape.text('For people, in the language of the request'),
  }),
);
const MANIFEST = shape.nullable(shape.anything('`plugin.json` or `theme.json` as its author wrote it; null where it cannot be read'));

/** Where the review of an item stands. */
export const REVIEW: Shape = shape.named(
  'Review',
  shape.record({
    item_status: ITEM_STATUS,
    review_msg: NOTE,
    version: OWN_VERSION,
    findings: shape.list(FINDING),
    manifest: MANIFEST,
    queue_position: shape.nullable(shape.id('From 1; null where nothing waits')),
    waiting_seconds: shape.nullable(shape.count('Null where nothing waits')),
    edit_requests: shape.list(EDIT_REQUEST, { maxItems: 200, description: 'Newest first' }),
  }),
);

/** What a dry run finds. */
export const DRY_RUN: Shape = shape.named(
  'DryRun',
  shape.record({
    sha256: shape.sha256(),
    zip_size: shape.count('Bytes'),
    files: shape.count(),
    total_size: shape.count('Bytes, unpacked'),
    manifest: MANIFEST,
    installable: shape.flag('Whether a panel would install it'),
    manifest_problems: shape.list(
      shape.record({
        code: shape.oneOf(...MANIFEST_PROBLEMS),
        fatal: shape.flag('Whether a panel would refuse it for this'),
        text: shape.text('For people'),
      }),
    ),
    findings: shape.list(FINDING),
  }),
);

const PACKAGE_FILE = { ...shape.text('The package, at most 50 MB'), format: 'binary' };
const SLUG = shape.text('The name of the folder in the package', { pattern: '^[a-zA-Z0-9_-]{1,63}$' });
const NAME = shape.text(undefined, { minLength: 1, maxLength: 100 });
const INFO = {
  price: shape.text('Yuan, at most two decimals', { pattern: '^(\\d{1,10}(\\.\\d{1,2}0*)?)?$' }),
  category: shape.text(undefined, { maxLength: 40 }),
  tags: shape.text('JSON text of an array: 10 of 30 characters'),
  homepage: shape.text('http or https', { maxLength: 500 }),
  main_image: shape.text('From `POST /api/upload/image`', { pattern: '^(/uploads/images/[\\w-]{1,60}\\.(jpg|png|gif|webp))?$' }),
};
const optional = (field: Shape) => ({ ...field, optional: true });

/** Fields of the form that submits an item. */
export const ITEM_FORM = {
  type: TYPE,
  slug: SLUG,
  name: NAME,
  version: VERSION_STRING,
  description: shape.text('HTML; what is not allowed in it is taken out', { minLength: 1 }),
  price: optional(INFO.price),
  category: optional(INFO.category),
  tags: optional(INFO.tags),
  homepage: optional(INFO.homepage),
  main_image: optional(INFO.main_image),
  requires_svc: optional(shape.text('Panel versions it needs, such as `1.81` or `>=1.80 <2`', { maxLength: 50 })),
  requires_mnbt: optional(shape.text('`requires_svc` under its older name; counts where that is empty', { maxLength: 50 })),
  zipfile: PACKAGE_FILE,
};

/** Fields of the form for a dry run. */
export const DRY_RUN_FORM = { type: TYPE, slug: SLUG, name: optional(NAME), version: optional(VERSION_STRING), zipfile: PACKAGE_FILE };

/** Fields of the form that submits a version. */
export const VERSION_FORM = {
  version: VERSION_STRING,
  changelog: optional(shape.text(undefined, { maxLength: 10_000 })),
  zipfile: PACKAGE_FILE,
};

/** JSON body that asks for changes of an item. */
export const EDIT_FORM: Shape = shape.named(
  'EditForm',
  shape.partial({
    name: NAME,
    price: shape.either(shape.number('Yuan, at most two decimals', { minimum: 0 }), INFO.price),
    description: shape.text('HTML; what is not allowed in it is taken out', { minLength: 1 }),
    category: INFO.category,
    tags: shape.either(INFO.tags, shape.list(shape.text(undefined, { maxLength: 30 }), { maxItems: 10 })),
    homepage: INFO.homepage,
    main_image: INFO.main_image,
  }),
);
