import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { EmptyIsUnset } from '../../http/index.js';
import { ListInput, RowIdOrZero, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { NOTICE_KINDS, NOTICE_LEVELS, type NoticeKind, type NoticeLevel } from '../notice.js';

/** Fields of lists of one's own notices. */
export class NoticeListInput extends ListInput {
  @IsOptional() @EmptyIsUnset() @IsIn(NOTICE_KINDS) type?: NoticeKind;
  @IsOptional() @EmptyIsUnset() @IsIn(NOTICE_LEVELS) level?: NoticeLevel;
  @IsOptional() @Switch() @IsBoolean() is_read?: boolean;
}

/** Like {@link NoticeListInput} for all recipients. */
export class SentListInput extends NoticeListInput {
  /** Part of a user's name. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user?: string;
}

/** Fields of `notice_list` as used by deployed front ends. */
export class LegacyNoticeListInput {
  @IsOptional() @EmptyIsUnset() @IsIn(NOTICE_KINDS) type?: NoticeKind;
  @IsOptional() @EmptyIsUnset() @IsIn(NOTICE_LEVELS) level?: NoticeLevel;
  @IsOptional() @Switch() @IsBoolean() read?: boolean;
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) keyword?: string;
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(10_000_000) page = 1;
  @IsOptional() @WholeNumber() @IsIn([10, 15, 25, 50, 100]) page_size = 15;
}

/** Selects one, several or all notices. */
export class NoticeIdsInput {
  /** 0 or omitted for all. */
  @IsOptional() @RowIdOrZero() id?: number;
  /** Several ids, comma-separated or as an array. */
  @IsOptional() @IsString() @MaxLength(8_000) idsz?: string;
}
