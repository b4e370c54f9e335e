import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, Matches } from 'class-validator';

import { Operation, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { requireAuthor, requireListedAuthor, UNSIGNED } from '../author-keys.js';
import { PluginStoreError } from '../errors.js';
import { PackageUploads, ZipUploadInput } from '../package-uploads.js';
import type { PackageAction } from '../package-work.js';
import { AuthorKey, VersionOfStore, StoreTaskInput, ZipDigest } from '../plugin-store.inputs.js';
import { taskReply } from '../store-answers.js';
import { StorePackages } from '../store-packages.js';
import { ThemeActions } from './theme-actions.js';
import { ThemeExchange } from './theme-exchange.js';
import { ThemeFolders } from './theme-folders.js';
import { ThemeVersions } from './theme-versions.js';

class ThemeNameInput {
  @IsString() @Trimmed() @Matches(/^[a-zA-Z0-9_-]{1,64}$/, { message: 'pluginStore.theme_name' }) name!: string;
}

/** A ZIP with the administrator's consent. */
class ThemeUploadInput extends ZipUploadInput {
  /** Whether another author than that of the installed version is accepted. */
  @IsOptional() @Switch() accept = false;
}

class ThemeUpgradeInput extends ThemeNameInput {
  /** For an upgrade by another author. */
  @AuthorKey() author = '';
}

class ThemeInstallInput extends ThemeUpgradeInput {
  /** Default: the published version. */
  @VersionOfStore() version?: string;
  /** Digest of the reviewed ZIP; another one is rejected. */
  @ZipDigest() sha256?: string;
}

const UPLOADED = 'pluginStore.audit.theme_upload';
const RATED = { side: 'admin', auth: 'admin', rate: 'expensive', secondProof: true } as const;

/** Theme packages: installation from the store or a ZIP, upgrades and rollbacks. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemePackageOperations {
  constructor(
    private readonly versions: ThemeVersions,
    private readonly packages: StorePackages,
    private readonly uploads: PackageUploads,
    private readonly actions: ThemeActions,
    private readonly exchange: ThemeExchange,
    private readonly folders: ThemeFolders,
  ) {}

  /** Checks a ZIP and installs it in the background. */
  @Operation({ ...RATED, gn: 'theme_upload', input: ThemeUploadInput, audit: UPLOADED, writesLine: true })
  async upload(input: ThemeUploadInput, ctx: CallContext): Promise<SuccessReply> {
    const { accept } = input;
    const to = { type: 'theme', gn: 'theme_upload', line: UPLOADED, folders: this.folders } as const;
    return this.uploads.take(to, input, ctx, (checked, file) => {
      const { slug, version } = checked;
      this.exchange.requireNewer(slug, version, { again: true });
      const author = accept ? (checked.author?.keyId ?? UNSIGNED) : '';
      requireAuthor(checked, this.exchange.originOf(slug), author);
      return this.ordered({ kind: 'upload', slug, file, author }, version, ctx);
    });
  }

  /** Installs in the background; `theme_task` reports the progress. */
  @Operation({ ...RATED, gn: 'theme_store_install', input: ThemeInstallInput, audit: 'pluginStore.audit.theme_install' })
  async install(wanted: ThemeInstallInput, ctx: CallContext): Promise<SuccessReply> {
    const { item, listed } = await this.packages.find('theme', wanted.name, wanted);
    this.exchange.requireNewer(item.slug, listed.version, { again: false });
    const { author } = wanted;
    requireListedAuthor(item.slug, listed, this.exchange.originOf(item.slug), author);
    return this.ordered({ kind: 'store', slug: item.slug, version: listed.version, sha256: listed.sha256, author }, listed.version, ctx);
  }

  /** Queries the store, including betas where enabled. */
  @Operation({ ...RATED, gn: 'theme_upgrade', input: ThemeUpgradeInput, audit: 'pluginStore.audit.theme_upgrade' })
  async upgrade({ name, author }: ThemeUpgradeInput, ctx: CallContext): Promise<SuccessReply> {
    this.versions.requireOfStore(name);
    const newer = (await this.versions.check()).find(({ slug }) => slug === name);
    if (!newer) throw new PluginStoreError('NOTHING_NEWER');
    return this.install({ name, author, version: newer.version }, ctx);
  }

  /** Rolls back to the previous version, in the background. */
  @Operation({ ...RATED, gn: 'theme_rollback', input: ThemeNameInput, audit: 'pluginStore.audit.theme_rollback' })
  async rollback({ name }: ThemeNameInput, ctx: CallContext): Promise<SuccessReply> {
    const version = this.exchange.before(name);
    const task = await this.actions.order({ kind: 'back', slug: name, version }, ctx.admin!.username);
    return new SuccessReply('pluginStore.going_back', { task_id: task, version }, { slug: name, version });
  }

  @Operation({ side: 'admin', gn: 'theme_task', auth: 'admin', input: StoreTaskInput, audit: null, rate: 'read' })
  async task({ task_id }: StoreTaskInput, { locale }: CallContext): Promise<SuccessReply> {
    return taskReply(await this.actions.task(task_id), locale);
  }

  private async ordered(action: PackageAction, version: string, { admin }: CallContext): Promise<SuccessReply> {
    const task = await this.actions.order(action, admin!.username);
    return new SuccessReply('pluginStore.ordered', { task_id: task, name: action.slug, version }, { slug: action.slug, version });
  }
}
