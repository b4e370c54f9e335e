import { IsIn, IsInt, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { VersionField } from '../../http/index.js';
import { Switch, Trimmed, WholeNumber } from '../../operations/index.js';

import { PRESENT_RULES } from './rewrite-templates.js';

const LONG = 4_000;

export class SectionInput {
  @Trimmed() @IsString() @MaxLength(20) section!: string;
}

export class IndexInput {
  /** Names separated by commas. */
  @Trimmed() @IsString() @MaxLength(LONG) ml!: string;
  @VersionField() row_version?: string;
}

export class RunFolderInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) wb = '';
  @VersionField() row_version?: string;
}

export class RewritesNameInput {
  /** `0.当前`, or the name of a template. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(40) xz = PRESENT_RULES;
}

export class RewritesInput {
  @IsOptional() @IsString() @MaxLength(16_000) wb = '';
  @VersionField() row_version?: string;
}

export class CompressionInput {
  /** `off`, `0` and `false` are off, anything else is on. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(10) action = 'on';
  @IsOptional() @WholeNumber() @IsInt({ message: 'hosting.setting_level' }) level?: number;
  @IsOptional() @Trimmed() @IsString() @MaxLength(20) min_len?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(LONG) types?: string;
  @VersionField() row_version?: string;
}

/** Both spellings of each field are used by clients. */
export class CacheInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) suffix?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) ext?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(20) time_out?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(20) time?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) old_suffix?: string;
}

export class FolderPasswordInput {
  @Trimmed() @Matches(/^[^\p{Cc}"'\\/<>]{1,50}$/u, { message: 'hosting.setting_name' }) name!: string;
  /** Folder below the web root; empty or `/`: the whole site. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) mbml = '';
  @Trimmed() @Matches(/^[^\p{Cc}:]{1,64}$/u, { message: 'hosting.setting_name' }) user!: string;
  @IsString() @Matches(/^[^\p{Cc}]{4,128}$/u, { message: 'hosting.setting_password' }) pass!: string;
}

export class FolderPasswordNameInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(50) mb?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(50) name?: string;
}

export class HotlinkInput {
  /** Suffixes separated by commas. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(300) fix?: string;
  /** Sites that may embed them, separated by commas or lines. */
  @IsOptional() @IsString() @MaxLength(LONG) domains?: string;
  /** Status of the rejection. */
  @IsOptional() @Trimmed() @IsIn(['403', '404'], { message: 'hosting.setting_return_rule' }) return_rule?: string;
  /** Whether requests without a referrer are allowed. */
  @IsOptional() @Switch() @IsIn([true, false]) http_status?: boolean;
  @IsOptional() @Switch() @IsIn([true, false]) status?: boolean;
  @VersionField() row_version?: string;
}

export class RedirectInput {
  @Trimmed() @IsString() @MaxLength(600) ly!: string;
  @Trimmed() @IsString() @MaxLength(600) mb!: string;
  @IsOptional() @WholeNumber() @IsIn([301, 302]) lx: 301 | 302 = 301;
}

export class RedirectIdInput {
  @Trimmed() @IsString() @MaxLength(32) id!: string;
}

/** Input of administrators, whose `id` is the host's. */
export class HostRedirectInput {
  @Trimmed() @IsString() @MaxLength(32) cdx!: string;
}

export class ErrorPagesInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(600) p403?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(600) p404?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(600) p503?: string;
  @VersionField() row_version?: string;
}
