import { applyDecorators } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { PLUGIN_SLUG } from '../common/index.js';
import { ListInput, Switch, Trimmed } from '../operations/index.js';

import type { BetaChoice } from './plugin-betas.js';
import { ZipUploadInput } from './package-uploads.js';

/** What somebody looks for in the store. */
export class StoreSearchInput extends ListInput {
  @IsOptional() @IsString() @Trimmed() @MaxLength(100) q = '';
  @IsOptional() @IsString() @Trimmed() @MaxLength(40) category = '';
  @IsOptional() @IsIn(['newest', 'downloads']) order: 'newest' | 'downloads' = 'newest';
}

/** Names a plugin. */
export class PluginSlugInput {
  @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) slug!: string;
}

/** A version of the store's, which may be left out. */
export const VersionOfStore = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'pluginStore.version_invalid' }));

/** SHA-256 of a ZIP, which may be left out. */
export const ZipDigest = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^[0-9a-f]{64}$/i, { message: 'pluginStore.sha256_invalid' }));

/** The key of another author, or that a version is not signed: what somebody said yes to; may be left out. */
export const AuthorKey = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^([0-9a-f]{16}|none)?$/, { message: 'pluginStore.author_invalid' }));

/** Names of permissions with commas between them. */
const PERMISSIONS = /^([\w:.*-]{1,210}(,[\w:.*-]{1,210}){0,49})?$/;

/** Which version, and what may be done by it. */
export class StoreInstallInput extends PluginSlugInput {
  /** The published one without it. */
  @VersionOfStore() version?: string;
  /** Of the ZIP that was looked at; another one is refused. */
  @ZipDigest() sha256?: string;
  /** What it asks for that somebody agreed to, with commas. */
  @IsOptional() @IsString() @Matches(PERMISSIONS, { message: 'pluginStore.permissions_invalid' }) permissions = '';
  /** Of an upgrade by another author. */
  @AuthorKey() author = '';
}

/** Which plugin; all without it. */
export class UpgradeInput {
  @IsOptional() @IsString() @Matches(/^([a-zA-Z0-9][a-zA-Z0-9_-]{0,62})?$/, { message: 'plugins.slug_invalid' }) slug = '';
  @IsOptional() @IsString() @Matches(PERMISSIONS, { message: 'pluginStore.permissions_invalid' }) permissions = '';
  /** Of an upgrade by another author. */
  @AuthorKey() author = '';
}

/** Whether betas are offered: of a plugin, or of all that have no choice of their own. */
export class BetasInput {
  /** Empty: the panel's. */
  @IsOptional() @IsString() @Matches(/^([a-zA-Z0-9][a-zA-Z0-9_-]{0,62})?$/, { message: 'plugins.slug_invalid' }) slug = '';
  /** Empty, for one plugin: as the panel has it. */
  @IsIn(['true', 'false', ''], { message: 'pluginStore.betas_invalid' }) betas!: BetaChoice;
}

/** A ZIP, and what somebody agrees to. */
export class PluginUploadInput extends ZipUploadInput {
  /** Whether it may do what it asks for, and come from another author than the installed version. */
  @IsOptional() @Switch() accept = false;
}

/** A task of this feature. */
export class StoreTaskInput {
  @IsString() @MaxLength(80) task_id!: string;
}

/** The key somebody compared. */
export class TrustInput {
  @IsString() @Trimmed() @Matches(/^[0-9a-f]{16}$/, { message: 'pluginStore.key_invalid' }) key_id!: string;
}
