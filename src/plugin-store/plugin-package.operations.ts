import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../operations/index.js';
import { PackageFolders } from '../plugin-registry/index.js';
import type { CallContext } from '../sdk/index.js';

import { requireAuthor, UNSIGNED } from './author-keys.js';
import { PluginStoreError, type PluginStoreErrorCode } from './errors.js';
import { NewerVersions } from './newer-versions.js';
import { PackageExchange } from './package-exchange.js';
import { PackageUploads } from './package-uploads.js';
import { PluginActions, requireAgreed } from './plugin-actions.js';
import { PluginSlugInput, UpgradeInput, PluginUploadInput } from './plugin-store.inputs.js';
import { StoreCatalogue, type Wanted } from './store-catalogue.js';
import { requireNewer } from './store-packages.js';

const UPLOADED = 'pluginStore.audit.upload';
const BACKGROUND = '/admin/background';
/** Errors that mean an upgrade needs confirmation. */
const NEEDS_CONFIRMATION: readonly PluginStoreErrorCode[] = ['ASKS', 'AUTHOR_CHANGED', 'AUTHOR_GONE'];

/** Packages of installed plugins: upgrades, rollbacks and uploaded ZIPs. Source: docs/panel-api.md "Plugins". */
@Injectable()
export class PluginPackageOperations {
  constructor(
    private readonly newer: NewerVersions,
    private readonly catalogue: StoreCatalogue,
    private readonly actions: PluginActions,
    private readonly uploads: PackageUploads,
    private readonly folders: PackageFolders,
    private readonly exchange: PackageExchange,
  ) {}

  /** Queries the store. When upgrading all plugins, those that need confirmation are skipped and listed in the response. */
  @Operation({
    side: 'admin',
    gn: 'plugin_upgrade',
    auth: 'admin',
    input: UpgradeInput,
    audit: 'pluginStore.audit.upgrade',
    rate: 'expensive',
    secondProof: true,
  })
  async upgrade({ slug, permissions, author }: UpgradeInput, ctx: CallContext): Promise<SuccessReply> {
    const by = ctx.admin!.username;
    if (slug !== '') return this.upgradeOne(slug, { permissions: permissions.split(','), author }, by);
    const tasks: string[] = [];
    const asking: string[] = [];
    for (const { slug: one, version } of await this.newer.check()) {
      try {
        tasks.push(await this.actions.order(await this.catalogue.actionFor(one, { version, permissions: [] }), by));
      } catch (error) {
        if (!(error instanceof PluginStoreError) || !NEEDS_CONFIRMATION.includes(error.code)) throw error;
        asking.push(one);
      }
    }
    if (tasks.length === 0 && asking.length === 0) throw new PluginStoreError('NOTHING_NEWER');
    const text = asking.length > 0 ? 'pluginStore.upgrading_asking' : 'pluginStore.upgrading';
    return new SuccessReply(text, { task_ids: tasks, asking, redirect: BACKGROUND }, { n: tasks.length, slugs: asking.join(', ') });
  }

  /** Rolls back to the previous version, in the background. */
  @Operation({
    side: 'admin',
    gn: 'plugin_rollback',
    auth: 'admin',
    input: PluginSlugInput,
    audit: 'pluginStore.audit.rollback',
    rate: 'expensive',
    secondProof: true,
  })
  async rollback({ slug }: PluginSlugInput, ctx: CallContext): Promise<SuccessReply> {
    const before = await this.exchange.before(slug);
    const task = await this.actions.order({ kind: 'back', slug, version: before }, ctx.admin!.username);
    return new SuccessReply('pluginStore.going_back', { task_id: task, version: before }, { slug, version: before });
  }

  /** Checks a ZIP, which may be sent in chunks, and installs it in the background. */
  @Operation({
    side: 'admin',
    gn: 'plugin_upload',
    auth: 'admin',
    input: PluginUploadInput,
    audit: UPLOADED,
    rate: 'expensive',
    secondProof: true,
    writesLine: true,
  })
  async upload(input: PluginUploadInput, ctx: CallContext): Promise<SuccessReply> {
    const { accept } = input;
    const to = { type: 'plugin', gn: 'plugin_upload', line: UPLOADED, folders: this.folders } as const;
    return this.uploads.take(to, input, ctx, async (checked, file) => {
      const { slug, version } = checked;
      const row = await this.exchange.rowOf(slug);
      if (row) requireNewer(slug, version, row.version, { again: true });
      const permissions = accept ? checked.permissions : this.catalogue.agreedFor(slug);
      requireAgreed(checked, permissions);
      const author = accept ? (checked.author?.keyId ?? UNSIGNED) : '';
      requireAuthor(checked, this.catalogue.originOf(slug), author);
      const task = await this.actions.order({ kind: 'upload', slug, file, permissions, author }, ctx.admin!.username);
      return new SuccessReply('pluginStore.ordered', { task_id: task, slug, version }, { slug, version });
    });
  }

  private async upgradeOne(slug: string, agreed: Pick<Wanted, 'permissions' | 'author'>, by: string): Promise<SuccessReply> {
    await this.catalogue.requireOfStore(slug);
    const newer = (await this.newer.check()).find((one) => one.slug === slug);
    if (!newer) throw new PluginStoreError('NOTHING_NEWER');
    const { version } = newer;
    const action = await this.catalogue.actionFor(slug, { ...agreed, version });
    return new SuccessReply('pluginStore.ordered', { task_id: await this.actions.order(action, by), version }, { slug, version });
  }
}
