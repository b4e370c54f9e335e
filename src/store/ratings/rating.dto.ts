import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

import { ApiProperty } from '../../http/index.js';
import { PlainText } from '../accounts/index.js';
import { ID, ROW_VERSION, RowVersion, TIME } from '../http/index.js';

/** Rating of a version. */
export class Rating {
  @ApiProperty(ID) id!: number;
  @ApiProperty(ID) item_id!: number;
  @ApiProperty() version!: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 }) stars!: number;
  @ApiProperty({ maxLength: 2_000 }) text!: string;
  @ApiProperty(ID) user_id!: number;
  @ApiProperty({ maxLength: 30 }) username!: string;
  @ApiProperty({ enum: ['shown', 'hidden'] }) status!: 'shown' | 'hidden';
  @ApiProperty({ description: 'Reply of the author; may be empty', maxLength: 2_000 }) reply!: string;
  @ApiProperty({ ...TIME, nullable: true }) replied_at!: string | null;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) updated_at!: string;
  @ApiProperty(ROW_VERSION) row_version!: string;
}

/** Selects a version. */
export class VersionQuery {
  /** Default: the current version. */
  @IsOptional()
  @Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'store.version_invalid' })
  version?: string;
}

/** A submitted rating. */
export class RatingForm {
  @IsInt({ message: 'store.stars_invalid' })
  @Min(1, { message: 'store.stars_invalid' })
  @Max(5, { message: 'store.stars_invalid' })
  stars!: number;

  @IsOptional()
  @PlainText(2_000, { message: 'store.rating_text_invalid' })
  text?: string;

  /** Default: the current version. */
  @IsOptional()
  @Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'store.version_invalid' })
  version?: string;

  @RowVersion() row_version?: string;
}

/** Reply of an author to a rating. */
export class ReplyForm {
  /** An empty text removes the reply. */
  @PlainText(2_000, { message: 'store.rating_text_invalid' })
  text!: string;

  @RowVersion() row_version?: string;
}

/** Reason for reporting a rating. */
export class RatingReportForm {
  @IsIn(['spam', 'other'], { message: 'store.rating_reason_invalid' })
  reason!: 'spam' | 'other';

  @IsOptional()
  @PlainText(2_000, { message: 'store.rating_text_invalid' })
  text?: string;
}
