import { Injectable } from '@nestjs/common';

import { ListReply, NoInput, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { PluginStoreError } from './errors.js';
import { PluginActions } from './plugin-actions.js';
import { StoreInstallInput, StoreSearchInput, StoreTaskInput, TrustInput } from './plugin-store.inputs.js';
import { MAX_ROWS, taskReply, wireItem } from './store-answers.js';
import { StoreCatalogue } from './store-catalogue.js';
import { StoreClient } from './store-client.js';
import { StoreWatch } from './store-watch.js';
import { TrustedKeys } from './trusted-keys.js';

/** The store inside the panel. Source: docs/panel-api.md "Plugins". */
@Injectable()
export class PluginStoreOperations {
  constructor(
    private readonly client: StoreClient,
    private readonly catalogue: StoreCatalogue,
    private readonly actions: PluginActions,
    private readonly watch: StoreWatch,
    private readonly keys: TrustedKeys,
  ) {}

  @Operation({ side: 'admin', gn: 'plugin_store', auth: 'admin', input: StoreSearchInput, audit: null, rate: 'read' })
  async search({ q, category, order, page, limit }: StoreSearchInput): Promise<ListReply> {
    const pageSize = Math.min(limit, MAX_ROWS);
    const { items, total } = await this.client.search({ keyword: q, category, sort: order, page, pageSize });
    return new ListReply(total, await Promise.all(items.map(async (item) => wireItem(await this.catalogue.shown(item)))));
  }

  /** Installs in the background; `plugin_store_task` reports the progress. */
  @Operation({
    side: 'admin',
    gn: 'plugin_store_install',
    auth: 'admin',
    input: StoreInstallInput,
    audit: 'pluginStore.audit.install',
    rate: 'expensive',
    secondProof: true,
  })
  async install({ slug, version, sha256, permissions, author }: StoreInstallInput, ctx: CallContext): Promise<SuccessReply> {
    const wanted = { version, sha256: sha256?.toLowerCase(), permissions: permissions.split(','), author };
    const action = await this.catalogue.actionFor(slug, wanted);
    const task = await this.actions.order(action, ctx.admin!.username);
    const named = action.kind === 'store' ? action.version : '';
    return new SuccessReply('pluginStore.ordered', { task_id: task, version: named }, { slug, version: named });
  }

  @Operation({ side: 'admin', gn: 'plugin_store_task', auth: 'admin', input: StoreTaskInput, audit: null, rate: 'read' })
  async task({ task_id }: StoreTaskInput, ctx: CallContext): Promise<SuccessReply> {
    return taskReply(await this.actions.task(task_id), ctx.locale);
  }

  /** Runs the daily check now. */
  @Operation({
    side: 'admin',
    gn: 'plugin_store_check',
    auth: 'admin',
    input: NoInput,
    audit: 'pluginStore.audit.check',
    rate: 'expensive',
  })
  async check(): Promise<SuccessReply> {
    if (!this.client.exists) throw new PluginStoreError('NO_STORE');
    const { newer, blocked } = await this.watch.check();
    return new SuccessReply('pluginStore.checked', { newer, blocked }, { n: newer.length, blocked });
  }

  @Operation({
    side: 'admin',
    gn: 'plugin_store_trust',
    auth: 'admin',
    input: TrustInput,
    audit: 'pluginStore.audit.trust',
    rate: 'write',
    secondProof: true,
  })
  async trust({ key_id }: TrustInput): Promise<SuccessReply> {
    await this.keys.trust(key_id);
    return new SuccessReply('pluginStore.trusted', {}, { key: key_id });
  }
}
