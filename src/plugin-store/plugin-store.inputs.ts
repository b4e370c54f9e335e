import { applyDecorators } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { PLUGIN_SLUG } from '../common/index.js';
import { ListInput, Switch, Trimmed } from '../operations/index.js';

import type { BetaChoice } from './plugin-betas.js';
import { ZipUploadInput } from './package-uploads.js';

/** Search in the store. */
export class StoreSearchInput extends ListInput {
  @IsOptional() @IsString() @Trimmed() @MaxLength(100) q = '';
  @IsOptional() @IsString() @Trimmed() @MaxLength(40) category = '';
  @IsOptional() @IsIn(['newest', 'downloads']) order: 'newest' | 'downloads' = 'newest';
}

/** Refers to a plugin by its slug. */
export class PluginSlugInput {
  @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) slug!: string;
}

/** A version in the store; optional. */
export const VersionOfStore = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'pluginStore.version_invalid' }));

/** SHA-256 of a ZIP; optional. */
export const ZipDigest = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^[0-9a-f]{64}$/i, { message: 'pluginStore.sha256_invalid' }));

/** Confirmed key of another author, or `none` for unsigned; optional. */
export const AuthorKey = () =>
  applyDecorators(IsOptional(), IsString(), Matches(/^([0-9a-f]{16}|none)?$/, { message: 'pluginStore.author_invalid' }));

/** Comma-separated names of permissions. */
const PERMISSIONS = /^([\w:.*-]{1,210}(,[\w:.*-]{1,210}){0,49})?$/;

/** The version to install, and the agreed permissions. */
export class StoreInstallInput extends PluginSlugInput {
  /** Default: the published version. */
  @VersionOfStore() version?: string;
  /** Digest of the reviewed ZIP; another one is rejected. */
  @ZipDigest() sha256?: string;
  /** Agreed permissions, comma-separated. */
  @IsOptional() @IsString() @Matches(PERMISSIONS, { message: 'pluginStore.permissions_invalid' }) permissions = '';
  /** For an upgrade by another author. */
  @AuthorKey() author = '';
}

/** The plugin to upgrade; by default all. */
export class UpgradeInput {
  @IsOptional() @IsString() @Matches(/^([a-zA-Z0-9][a-zA-Z0-9_-]{0,62})?$/, { message: 'plugins.slug_invalid' }) slug = '';
  @IsOptional() @IsString() @Matches(PERMISSIONS, { message: 'pluginStore.permissions_invalid' }) permissions = '';
  /** For an upgrade by another author. */
  @AuthorKey() author = '';
}

/** Whether betas are offered, for a plugin or as the default. */
export class BetasInput {
  /** Empty: the panel's default. */
  @IsOptional() @IsString() @Matches(/^([a-zA-Z0-9][a-zA-Z0-9_-]{0,62})?$/, { message: 'plugins.slug_invalid' }) slug = '';
  /** Empty, for one plugin: use the panel's default. */
  @IsIn(['true', 'false', ''], { message: 'pluginStore.betas_invalid' }) betas!: BetaChoice;
}

/** A ZIP with the administrator's consent. */
export class PluginUploadInput extends ZipUploadInput {
  /** Whether the requested permissions and another author are accepted. */
  @IsOptional() @Switch() accept = false;
}

/** Refers to a task of this feature. */
export class StoreTaskInput {
  @IsString() @MaxLength(80) task_id!: string;
}

/** The key fingerprint the administrator verified. */
export class TrustInput {
  @IsString() @Trimmed() @Matches(/^[0-9a-f]{16}$/, { message: 'pluginStore.key_invalid' }) key_id!: string;
}
