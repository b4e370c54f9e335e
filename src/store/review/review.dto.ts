import { ApiProperty, ApiSchema } from '../../http/index.js';

import type { ItemStatus, ItemType } from '../entities/index.js';
import { COUNT, ID, SHA256, TIME } from '../http/index.js';

import type { ReportReason } from './moderation.js';

const TYPE = { enum: ['plugin', 'theme'] };

/** A report of an item. */
export class Report {
  @ApiProperty(ID) id!: number;
  @ApiProperty(ID) item_id!: number;
  @ApiProperty() item_name!: string;
  @ApiProperty() slug!: string;
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty({ enum: ['malware', 'security', 'copyright', 'spam', 'broken', 'other'] }) reason!: ReportReason;
  @ApiProperty({ ...ID, nullable: true, description: 'The reported rating; null if the item itself is reported' }) rating_id!:
    number | null;
  @ApiProperty({ maxLength: 2_000 }) text!: string;
  @ApiProperty({ ...ID, nullable: true, description: 'Account of the reporter; null if not signed in' }) reporter_id!: number | null;
  @ApiProperty({ type: 'string', nullable: true }) reporter_name!: string | null;
  @ApiProperty() ip!: string;
  @ApiProperty({ enum: ['open', 'closed'] }) status!: 'open' | 'closed';
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty({ ...TIME, nullable: true }) closed_at!: string | null;
}

/** A file that no package may contain. */
export class BlockedDigest {
  @ApiProperty(ID) id!: number;
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ maxLength: 255 }) reason!: string;
  @ApiProperty(ID) created_by!: number;
  @ApiProperty(TIME) created_at!: string;
}

/** Response after blocking a file. */
export class NewBlockedDigest {
  @ApiProperty(ID) id!: number;
}

/** A file of a package. */
export class PackageFile {
  @ApiProperty({ description: 'Path relative to the root folder' }) path!: string;
  @ApiProperty({ ...COUNT, description: 'Size in bytes' }) size!: number;
  @ApiProperty(SHA256) sha256!: string;
}

/** The files of a version. */
export class PackageFiles {
  @ApiProperty() version!: string;
  @ApiProperty({ description: 'Name of the root folder' }) root!: string;
  @ApiProperty({ ...COUNT, description: 'Unpacked size in bytes' }) total_size!: number;
  @ApiProperty({ type: [PackageFile], maxItems: 500 }) files!: PackageFile[];
}

/** Number of items by type and status. */
export class ItemCount {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty({ enum: ['pending', 'approved', 'rejected', 'suspended'] }) status!: ItemStatus;
  @ApiProperty(COUNT) count!: number;
}

/** Account counts. */
export class AccountCounts {
  @ApiProperty(COUNT) active!: number;
  @ApiProperty(COUNT) banned!: number;
  @ApiProperty({ ...COUNT, description: 'Active accounts only' }) administrators!: number;
  @ApiProperty(COUNT) new_7_days!: number;
  @ApiProperty(COUNT) new_30_days!: number;
}

/** Downloads of one day. */
@ApiSchema({ name: 'DownloadDay' })
export class DownloadDayDto {
  @ApiProperty({ format: 'date', description: 'Day in UTC' }) day!: string;
  @ApiProperty(COUNT) downloads!: number;
  @ApiProperty(COUNT) visitors!: number;
}

/** A most downloaded item. */
export class TopItem {
  @ApiProperty(ID) id!: number;
  @ApiProperty() name!: string;
  @ApiProperty(COUNT) downloads!: number;
}

/** A category with its number of items. */
export class TopCategory {
  @ApiProperty() name!: string;
  @ApiProperty(COUNT) count!: number;
}

/** Counts and sizes of stored packages and pictures. */
export class StorageCounts {
  @ApiProperty({ ...COUNT, description: 'Number of different packages' }) packages!: number;
  @ApiProperty(COUNT) package_bytes!: number;
  @ApiProperty(COUNT) pictures!: number;
  @ApiProperty(COUNT) picture_bytes!: number;
}

/** Number of uploads rejected by a rule. */
export class RefusedUploads {
  @ApiProperty({ description: 'Name of the rule, such as `packages.path_traversal`' }) rule!: string;
  @ApiProperty(COUNT) count!: number;
}

/** Statistics of the store. */
export class Stats {
  @ApiProperty({ ...COUNT, description: 'Published plugins' }) plugins!: number;
  @ApiProperty({ ...COUNT, description: 'Published themes' }) themes!: number;
  @ApiProperty({ ...COUNT, description: 'Items waiting for review: never published, or with a version waiting for review' })
  pending!: number;
  @ApiProperty(COUNT) users!: number;
  @ApiProperty({ ...COUNT, description: 'Total of all items' }) downloads!: number;
  @ApiProperty({ ...COUNT, description: 'Edit requests waiting for a decision' }) pendingEdits!: number;
  @ApiProperty(COUNT) waiting_versions!: number;
  @ApiProperty({ ...COUNT, nullable: true, description: 'Waiting time of the oldest version in the queue; null if the queue is empty' })
  oldest_waiting_seconds!: number | null;
  @ApiProperty(COUNT) open_reports!: number;
  @ApiProperty({ type: [ItemCount] }) items!: ItemCount[];
  @ApiProperty() accounts!: AccountCounts;
  @ApiProperty({ ...COUNT, description: 'Since midnight UTC' }) downloads_today!: number;
  @ApiProperty({ ...COUNT, description: 'Today and the six days before' }) downloads_7_days!: number;
  @ApiProperty({ ...COUNT, description: 'Today and the 29 days before' }) downloads_30_days!: number;
  @ApiProperty({ type: [DownloadDayDto], maxItems: 30, description: 'Of the last 30 days; only days with downloads, oldest first' })
  days!: DownloadDayDto[];
  @ApiProperty({ type: [TopItem], maxItems: 10, description: 'Published items with the most downloads' }) top!: TopItem[];
  @ApiProperty({ type: [TopCategory], maxItems: 10, description: 'Categories with the most published items' }) categories!: TopCategory[];
  @ApiProperty() storage!: StorageCounts;
  @ApiProperty({ type: [RefusedUploads], description: 'Rejected uploads of the last 30 days, the most frequent rule first' })
  refused_uploads!: RefusedUploads[];
}
