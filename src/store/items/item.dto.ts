import { ArrayMaxSize, IsArray, Matches } from 'class-validator';

import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../../http/index.js';

import type { ItemStatus, ItemType, StoreEditRequest, StoreVersion } from '../entities/index.js';
import { ANY_OBJECT, COUNT, FILE, ID, ROW_VERSION, RowVersion, SHA256, TIME } from '../http/index.js';
import { MANIFEST_PROBLEMS } from '../packages/index.js';

const TYPE = { enum: ['plugin', 'theme'] };
const ITEM_STATUS = { enum: ['pending', 'approved', 'rejected', 'suspended'] };
const DECISION_STATUS = { enum: ['pending', 'approved', 'rejected', 'superseded'] };
const VERSION_STATUS = { enum: [...DECISION_STATUS.enum, 'withdrawn'] };
const WITHDRAWN = { description: 'Reason the author gave for the withdrawal', maxLength: 500 };
const SLUG = { pattern: '^[A-Za-z0-9_-]{1,63}$' };
const NAME = { type: 'string', minLength: 1, maxLength: 100 } as const;
const VERSION = { minLength: 1, maxLength: 32, pattern: '^[0-9A-Za-z.+_-]+$' };
const NOTE = { description: 'Note of the reviewer', maxLength: 2_000 };
const HTML = { description: 'HTML; elements that are not allowed are removed', minLength: 1 };

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
    description: 'Price in yuan, paid to the author directly: the store takes no payments, and anyone can download',
    minimum: 0,
  })
  price!: number;
  @ApiProperty({ description: 'Sanitized HTML' }) description!: string;
  @ApiProperty({ description: 'Path under /uploads/images/, or empty' }) main_image!: string;
  @ApiProperty({ description: 'JSON text: an array of paths, in display order' }) screenshots!: string;
  @ApiProperty({ ...SHA256, description: 'SHA-256 of the package' }) sha256!: string;
  @ApiProperty({ ...COUNT, description: 'Size of the package in bytes' }) zip_size!: number;
  @ApiProperty(COUNT) downloads!: number;
  @ApiProperty({ type: 'number', nullable: true, minimum: 1, maximum: 5, description: 'Average rating; null if there are no ratings' })
  rating!: number | null;
  @ApiProperty({ ...COUNT, description: 'Number of ratings' }) ratings!: number;
  @ApiProperty(ITEM_STATUS) status!: ItemStatus;
  @ApiProperty({ description: 'Required panel version: a semver range or a minimum; may be empty', maxLength: 50 }) requires_svc!: string;
  @ApiProperty({ description: 'The same as `requires_svc`, for older clients', maxLength: 50 }) requires_mnbt!: string;
  @ApiProperty({ maxLength: 40 }) category!: string;
  @ApiProperty({ description: 'JSON text: an array of strings' }) tags!: string;
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
  @ApiProperty({ type: 'string', nullable: true, description: 'The version that waits for a decision; null if there is none' })
  pending_version!: string | null;
  @ApiProperty({ ...ITEM_STATUS, description: 'Status of the item itself: `status` is `pending` for every item that waits for review' })
  item_status!: ItemStatus;
}

/** An item with the fields the reader may see; author and administrators also get the reviewer's note. */
export class ItemDetail extends Item {
  @ApiPropertyOptional(NOTE) review_msg?: string;
}

const AUTHOR_KEYS = 'The author’s signing keys: each certifies the next, and the last one signed the package; empty if it is not signed';

abstract class VersionFields {
  @ApiProperty(ID) id!: number;
  @ApiProperty(ID) item_id!: number;
  @ApiProperty(VERSION) version!: string;
  @ApiProperty({ enum: ['stable', 'beta'] }) channel!: StoreVersion['channel'];
  @ApiProperty({ ...COUNT, description: 'Size in bytes' }) zip_size!: number;
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ maxLength: 10_000 }) changelog!: string;
  @ApiProperty({ description: 'Panel versions it runs on: a semver range; empty for any', maxLength: 100 }) requires_svc!: string;
  @ApiProperty({ description: 'The same as `requires_svc`, for older clients', maxLength: 100 }) requires_mnbt!: string;
  @ApiProperty({ type: [String], maxItems: 50, description: 'Permissions requested by its manifest; `undeclared` if it declares none' })
  permissions!: string[];
  @ApiProperty(VERSION_STATUS) status!: StoreVersion['status'];
  @ApiProperty({ description: 'Ed25519 signature, base64; empty until approved' }) signature!: string;
  @ApiProperty({ description: 'Id of the key it was signed with' }) key_id!: string;
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
  @ApiProperty({ description: 'Whether this version of a trusted author was selected for a spot check' }) spot_check!: boolean;
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
  @ApiProperty({ description: 'Stable name of the rule, such as `eval`' }) rule!: string;
  @ApiProperty({ enum: ['info', 'warning', 'danger'] }) severity!: string;
  @ApiProperty({ description: 'Path relative to the root folder; empty if the finding is about the whole package' }) file!: string;
  @ApiProperty({ ...ID, nullable: true, description: 'Counted from 1; null if the finding is about the whole file' }) line!: number | null;
  @ApiProperty({ description: 'Excerpt of the code on one line; secrets are masked' }) excerpt!: string;
  @ApiProperty({ description: 'Description in the language of the request' }) text!: string;
}

const MANIFEST = {
  ...ANY_OBJECT,
  nullable: true,
  description: 'Content of `plugin.json` or `theme.json`; null if it cannot be parsed',
} as const;

/** State of the review of an item. */
export class Review {
  @ApiProperty(ITEM_STATUS) item_status!: ItemStatus;
  @ApiProperty(NOTE) review_msg!: string;
  @ApiProperty() version!: OwnVersion;
  @ApiProperty({ type: [Finding] }) findings!: Finding[];
  @ApiProperty(MANIFEST) manifest!: object | null;
  @ApiProperty({ ...ID, nullable: true, description: 'Counted from 1; null if nothing waits for review' }) queue_position!: number | null;
  @ApiProperty({ ...COUNT, nullable: true, description: 'Null if nothing waits for review' }) waiting_seconds!: number | null;
  @ApiProperty({ type: [EditRequest], maxItems: 200, description: 'Newest first' }) edit_requests!: EditRequest[];
}

/** Problem of a manifest, or of a file it refers to. */
export class ManifestProblemRow {
  @ApiProperty({ enum: [...MANIFEST_PROBLEMS] }) code!: string;
  @ApiProperty({ description: 'Whether a panel would reject the package because of this' }) fatal!: boolean;
  @ApiProperty({ description: 'Description in the language of the request' }) text!: string;
}

/** Result of a dry run of a submission. */
export class DryRun {
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ ...COUNT, description: 'Size in bytes' }) zip_size!: number;
  @ApiProperty(COUNT) files!: number;
  @ApiProperty({ ...COUNT, description: 'Unpacked size in bytes' }) total_size!: number;
  @ApiProperty(MANIFEST) manifest!: object | null;
  @ApiProperty({ description: 'Whether a panel would install it' }) installable!: boolean;
  @ApiProperty({ type: [ManifestProblemRow] }) manifest_problems!: ManifestProblemRow[];
  @ApiProperty({ type: [Finding] }) findings!: Finding[];
}

/** A category with its count. */
@ApiSchema({ name: 'Category' })
export class CategoryDto {
  @ApiProperty({ maxLength: 40 }) name!: string;
  @ApiProperty({ ...COUNT, description: 'Number of published items' }) count!: number;
}

/** Answer to an edit request. */
export class EditsAsked {
  @ApiProperty({ ...COUNT, description: 'Number of changes waiting for a decision' }) requests!: number;
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
  @ApiProperty({ description: 'HTML without elements that are not allowed', minLength: 1 }) description!: string;
}

const FORM_SLUG = { ...SLUG, minLength: 1, maxLength: 63, description: 'Name of the root folder in the package' };
const PACKAGE = { ...FILE, description: 'The package, at most 50 MB' };
const PRICE = { type: 'string', description: 'In yuan, at most two decimals', pattern: '^(\\d{1,10}(\\.\\d{1,2}0*)?)?$' } as const;
const TAGS = { type: 'string', description: 'JSON text: an array of at most 10 strings of at most 30 characters' } as const;

abstract class ItemFacts {
  @ApiPropertyOptional({ maxLength: 40 }) category?: string;
  @ApiPropertyOptional({ description: 'http or https URL', maxLength: 500 }) homepage?: string;
  @ApiPropertyOptional({
    description: 'Path from `POST /api/upload/image`',
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
  @ApiPropertyOptional({ description: 'Required panel version, such as `1.81` or `>=1.80 <2`', maxLength: 50 }) requires_svc?: string;
  @ApiPropertyOptional({ description: 'Older name of `requires_svc`, used if that is empty', maxLength: 50 })
  requires_mnbt?: string;
  @ApiPropertyOptional({ description: 'JSON text: an array of at most 8 paths from `POST /api/upload/image`; jpg, png or webp' })
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
    description: '`beta` versions are only offered to those who request betas; the published version stays. Default: `stable`',
  })
  channel?: string;
  @ApiProperty(PACKAGE) zipfile!: string;
}

const ONLY_THESE = { description: 'Unknown fields are rejected', additionalProperties: false };

/** JSON body that requests changes to an item. */
@ApiSchema(ONLY_THESE)
export class EditForm extends ItemFacts {
  @ApiPropertyOptional(NAME) name?: string;
  @ApiPropertyOptional({ anyOf: [{ type: 'number', description: 'In yuan, at most two decimals', minimum: 0 }, PRICE] }) price?:
    number | string;
  @ApiPropertyOptional(HTML) description?: string;
  @ApiPropertyOptional({ anyOf: [TAGS, { type: 'array', items: { type: 'string', maxLength: 30 }, maxItems: 10 }] }) tags?:
    string | string[];
  @RowVersion() row_version?: string;
}
