import { ArrayMaxSize, IsArray, Matches } from 'class-validator';

import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../../http/index.js';

import type { ItemStatus, ItemType, StoreEditRequest, StoreVersion } from '../entities/index.js';
import { ANY_OBJECT, COUNT, FILE, ID, ROW_VERSION, RowVersion, SHA256, TIME } from '../http/index.js';
import { MANIFEST_PROBLEMS } from '../packages/index.js';

const TYPE = { enum: ['plugin', 'theme'] };
const ITEM_STATUS = { enum: ['pending', 'approved', 'rejected', 'suspended'] };
const DECISION_STATUS = { enum: ['pending', 'approved', 'rejected', 'superseded'] };
const VERSION_STATUS = { enum: [...DECISION_STATUS.enum, 'withdrawn'] };
const WITHDRAWN = { description: 'Reason given by the author for the withdrawal', maxLength: 500 };
const SLUG = { pattern: '^[A-Za-z0-9_-]{1,63}$' };
const NAME = { type: 'string', minLength: 1, maxLength: 100 } as const;
const VERSION = { minLength: 1, maxLength: 32, pattern: '^[0-9A-Za-z.+_-]+$' };
const NOTE = { description: 'Note of the reviewer', maxLength: 2_000 };
const HTML = { description: 'HTML; disallowed parts are removed', minLength: 1 };

/** An item as shown to the public. */
export class Item {
  @ApiProperty(ID) id!: number;
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(SLUG) slug!: string;
  @ApiProperty(NAME) name!: string;
  @ApiProperty(VERSION) version!: string;
  @ApiProperty(ID) author_id!: number;
  @ApiProperty({ maxLength: 30 }) author_name!: string;
  @ApiProperty({
    description: 'Price in yuan, to be paid to the author: the store takes no payments, and anyone can download the item',
    minimum: 0,
  })
  price!: number;
  @ApiProperty({ description: 'Sanitized HTML' }) description!: string;
  @ApiProperty({ description: 'Path under /uploads/images/, or empty' }) main_image!: string;
  @ApiProperty({ description: 'JSON text of an array of paths, in their order' }) screenshots!: string;
  @ApiProperty({ ...SHA256, description: 'Of the package' }) sha256!: string;
  @ApiProperty({ ...COUNT, description: 'Bytes of the package' }) zip_size!: number;
  @ApiProperty(COUNT) downloads!: number;
  @ApiProperty({ type: 'number', nullable: true, minimum: 1, maximum: 5, description: 'Average rating; null without ratings' })
  rating!: number | null;
  @ApiProperty({ ...COUNT, description: 'Number of ratings' }) ratings!: number;
  @ApiProperty(ITEM_STATUS) status!: ItemStatus;
  @ApiProperty({ description: 'Panel versions it needs: a range, or the lowest; may be empty', maxLength: 50 }) requires_svc!: string;
  @ApiProperty({ description: 'The same as `requires_svc`, under its older name', maxLength: 50 }) requires_mnbt!: string;
  @ApiProperty({ maxLength: 40 }) category!: string;
  @ApiProperty({ description: 'JSON text of an array' }) tags!: string;
  @ApiProperty({ maxLength: 500 }) homepage!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) updated_at!: string;
}

/** An item as shown to its author. */
export class OwnItem extends Item {
  @ApiProperty(NOTE) review_msg!: string;
}

/** An item as its author edits it, with its row version. */
export class OwnItemDetail extends OwnItem {
  @ApiProperty(ROW_VERSION) row_version!: string;
}

/** An item in a list for administrators. */
export class ReviewedItem extends OwnItem {
  @ApiProperty({ type: 'string', nullable: true, description: 'The version that waits for review; null if none does' })
  pending_version!: string | null;
  @ApiProperty({ ...ITEM_STATUS, description: 'State of the item itself: in the list of waiting items, `status` is `pending` for all' })
  item_status!: ItemStatus;
}

/** An item with the fields the reader may see; author and administrators also get the reviewer's note. */
export class ItemDetail extends Item {
  @ApiPropertyOptional(NOTE) review_msg?: string;
}

const AUTHOR_KEYS = 'Key chain of the author: each key certifies the next, the last one signed the package; empty if unsigned';

abstract class VersionFields {
  @ApiProperty(ID) id!: number;
  @ApiProperty(ID) item_id!: number;
  @ApiProperty(VERSION) version!: string;
  @ApiProperty({ enum: ['stable', 'beta'] }) channel!: StoreVersion['channel'];
  @ApiProperty({ ...COUNT, description: 'Bytes' }) zip_size!: number;
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ maxLength: 10_000 }) changelog!: string;
  @ApiProperty({ description: 'Panels it runs on, a semver range; empty for any', maxLength: 100 }) requires_svc!: string;
  @ApiProperty({ description: 'The same as `requires_svc`, under its older name', maxLength: 100 }) requires_mnbt!: string;
  @ApiProperty({ type: [String], maxItems: 50, description: 'Permissions in its manifest; `undeclared` if the manifest has none' })
  permissions!: string[];
  @ApiProperty(VERSION_STATUS) status!: StoreVersion['status'];
  @ApiProperty({ description: 'Ed25519, base64; empty until it is approved' }) signature!: string;
  @ApiProperty({ description: 'The key it was signed with' }) key_id!: string;
  @ApiProperty({ ...TIME, nullable: true }) signed_at!: string | null;
  @ApiProperty({ type: [String], maxItems: 20, description: AUTHOR_KEYS }) author_keys!: string[];
  @ApiProperty(TIME) created_at!: string;
}

/** A version with the fields the reader may see. */
export class Version extends VersionFields {
  @ApiPropertyOptional(NOTE) review_msg?: string;
  @ApiPropertyOptional({ ...TIME, nullable: true }) decided_at?: string | null;
  @ApiPropertyOptional({ ...TIME, nullable: true }) withdrawn_at?: string | null;
  @ApiPropertyOptional(WITHDRAWN) withdrawn_reason?: string;
  @ApiPropertyOptional() spot_check?: boolean;
}

/** A version as shown to its author. */
export class OwnVersion extends VersionFields {
  @ApiProperty(NOTE) review_msg!: string;
  @ApiProperty({ ...TIME, nullable: true }) decided_at!: string | null;
  @ApiProperty({ ...TIME, nullable: true }) withdrawn_at!: string | null;
  @ApiProperty(WITHDRAWN) withdrawn_reason!: string;
  @ApiProperty({ description: 'Selected for a spot check of a trusted author’s versions' }) spot_check!: boolean;
}

/** A version in a list across items. */
export class ListedVersion extends OwnVersion {
  @ApiProperty() item_name!: string;
  @ApiProperty() slug!: string;
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(ITEM_STATUS) item_status!: ItemStatus;
}

/** A requested change. */
export class EditRequest {
  @ApiProperty(ID) id!: number;
  @ApiProperty(ID) item_id!: number;
  @ApiProperty({ enum: ['name', 'price', 'description', 'category', 'tags', 'homepage', 'main_image', 'screenshots'] }) field!: string;
  @ApiProperty() old_value!: string;
  @ApiProperty() new_value!: string;
  @ApiProperty(DECISION_STATUS) status!: StoreEditRequest['status'];
  @ApiProperty(NOTE) review_msg!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty({ ...TIME, nullable: true }) decided_at!: string | null;
}

/** A change in a list across items. */
export class ListedEditRequest extends EditRequest {
  @ApiProperty() item_name!: string;
  @ApiProperty() slug!: string;
  @ApiProperty(TYPE) type!: ItemType;
}

/** Finding of the automatic check of a package. */
export class Finding {
  @ApiProperty({ description: 'Stable name, such as `eval`' }) rule!: string;
  @ApiProperty({ enum: ['info', 'warning', 'danger'] }) severity!: string;
  @ApiProperty({ description: 'Path below the root folder; empty if it concerns the whole package' }) file!: string;
  @ApiProperty({ ...ID, nullable: true, description: 'From 1; null if it concerns the whole file' }) line!: number | null;
  @ApiProperty({ description: 'Excerpt of the line; secrets are masked' }) excerpt!: string;
  @ApiProperty({ description: 'Human-readable, in the language of the request' }) text!: string;
}

const MANIFEST = {
  ...ANY_OBJECT,
  nullable: true,
  description: '`plugin.json` or `theme.json` as its author wrote it; null if it is unreadable',
} as const;

/** State of the review of an item. */
export class Review {
  @ApiProperty(ITEM_STATUS) item_status!: ItemStatus;
  @ApiProperty(NOTE) review_msg!: string;
  @ApiProperty() version!: OwnVersion;
  @ApiProperty({ type: [Finding] }) findings!: Finding[];
  @ApiProperty(MANIFEST) manifest!: object | null;
  @ApiProperty({ ...ID, nullable: true, description: 'From 1; null if no version waits' }) queue_position!: number | null;
  @ApiProperty({ ...COUNT, nullable: true, description: 'Null if no version waits' }) waiting_seconds!: number | null;
  @ApiProperty({ type: [EditRequest], maxItems: 200, description: 'Newest first' }) edit_requests!: EditRequest[];
}

/** Problem of a manifest, or of a file it refers to. */
export class ManifestProblemRow {
  @ApiProperty({ enum: [...MANIFEST_PROBLEMS] }) code!: string;
  @ApiProperty({ description: 'Whether a panel would reject it because of this' }) fatal!: boolean;
  @ApiProperty({ description: 'For people' }) text!: string;
}

/** Result of a dry run of a submission. */
export class DryRun {
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ ...COUNT, description: 'Bytes' }) zip_size!: number;
  @ApiProperty(COUNT) files!: number;
  @ApiProperty({ ...COUNT, description: 'Bytes, unpacked' }) total_size!: number;
  @ApiProperty(MANIFEST) manifest!: object | null;
  @ApiProperty({ description: 'Whether a panel would install it' }) installable!: boolean;
  @ApiProperty({ type: [ManifestProblemRow] }) manifest_problems!: ManifestProblemRow[];
  @ApiProperty({ type: [Finding] }) findings!: Finding[];
}

/** A category with its count. */
@ApiSchema({ name: 'Category' })
export class CategoryDto {
  @ApiProperty({ maxLength: 40 }) name!: string;
  @ApiProperty({ ...COUNT, description: 'Published items in it' }) count!: number;
}

/** Answer to an edit request. */
export class EditsAsked {
  @ApiProperty({ ...COUNT, description: 'Waiting change requests' }) requests!: number;
}

/** Requested screenshots, in display order. */
export class ScreenshotsForm {
  @IsArray({ message: 'store.screenshots_invalid' })
  @ArrayMaxSize(8, { message: 'store.screenshots_invalid' })
  @Matches(/^\/uploads\/images\/[\w-]{1,60}\.(jpg|png|webp)$/, { each: true, message: 'store.screenshots_invalid' })
  screenshots!: string[];

  @RowVersion() row_version?: string;
}

/** A description after sanitizing. */
export class Preview {
  @ApiProperty({ description: 'Sanitized HTML', minLength: 1 }) description!: string;
}

const FORM_SLUG = { ...SLUG, minLength: 1, maxLength: 63, description: 'Name of the folder in the package' };
const PACKAGE = { ...FILE, description: 'The package, at most 50 MB' };
const PRICE = { type: 'string', description: 'Yuan, at most two decimals', pattern: '^(\\d{1,10}(\\.\\d{1,2}0*)?)?$' } as const;
const TAGS = { type: 'string', description: 'JSON text of an array: 10 of 30 characters' } as const;

abstract class ItemFacts {
  @ApiPropertyOptional({ maxLength: 40 }) category?: string;
  @ApiPropertyOptional({ description: 'http or https', maxLength: 500 }) homepage?: string;
  @ApiPropertyOptional({
    description: 'From `POST /api/upload/image`',
    pattern: '^(/uploads/images/[\\w-]{1,60}\\.(jpg|png|gif|webp))?$',
  })
  main_image?: string;
}

/** Form that submits an item; validated by `ITEM_FIELDS`. */
export class ItemForm extends ItemFacts {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(FORM_SLUG) slug!: string;
  @ApiProperty(NAME) name!: string;
  @ApiProperty(VERSION) version!: string;
  @ApiProperty(HTML) description!: string;
  @ApiPropertyOptional(PRICE) price?: string;
  @ApiPropertyOptional(TAGS) tags?: string;
  @ApiPropertyOptional({ description: 'Panel versions it needs, such as `1.81` or `>=1.80 <2`', maxLength: 50 }) requires_svc?: string;
  @ApiPropertyOptional({ description: 'Older name of `requires_svc`; used if that is empty', maxLength: 50 })
  requires_mnbt?: string;
  @ApiPropertyOptional({ description: 'JSON text of an array: at most 8 addresses from `POST /api/upload/image`, jpg, png or webp' })
  screenshots?: string;
  @ApiProperty(PACKAGE) zipfile!: string;
}

/** The form for a dry run. */
export class DryRunForm {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(FORM_SLUG) slug!: string;
  @ApiPropertyOptional(NAME) name?: string;
  @ApiPropertyOptional(VERSION) version?: string;
  @ApiProperty(PACKAGE) zipfile!: string;
}

/** Form that submits a version. */
export class VersionForm {
  @ApiProperty(VERSION) version!: string;
  @ApiPropertyOptional({ maxLength: 10_000 }) changelog?: string;
  @ApiPropertyOptional({
    enum: ['stable', 'beta'],
    description: '`beta`: only for panels that opted in; the published stable version remains. Default: `stable`',
  })
  channel?: string;
  @ApiProperty(PACKAGE) zipfile!: string;
}

const ONLY_THESE = { description: 'Other fields are rejected', additionalProperties: false };

/** JSON body that requests changes to an item. */
@ApiSchema(ONLY_THESE)
export class EditForm extends ItemFacts {
  @ApiPropertyOptional(NAME) name?: string;
  @ApiPropertyOptional({ anyOf: [{ type: 'number', description: 'Yuan, at most two decimals', minimum: 0 }, PRICE] }) price?:
    number | string;
  @ApiPropertyOptional(HTML) description?: string;
  @ApiPropertyOptional({ anyOf: [TAGS, { type: 'array', items: { type: 'string', maxLength: 30 }, maxItems: 10 }] }) tags?:
    string | string[];
  @RowVersion() row_version?: string;
}
