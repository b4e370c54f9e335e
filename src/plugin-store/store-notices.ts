import { Injectable } from '@nestjs/common';

import type { AppError } from '../common/index.js';
import { Notices, registerNotice } from '../notify/index.js';
import type { PackageType } from '../packaging/index.js';

import { PluginStoreError } from './errors.js';
import type { StoreUpdatesWire } from './store-wire.js';

const PLUGINS = '/admin/plugins';
/** Pages where administrators manage plugins and themes. */
const LISTS = { plugin: PLUGINS, theme: '/admin/themes' } as const;
const NEWER_TEXTS = { plugin: 'pluginStore.notice_newer_text', theme: 'pluginStore.notice_newer_theme_text' } as const;
const BETA_TEXTS = { plugin: 'pluginStore.notice_newer_beta_text', theme: 'pluginStore.notice_newer_theme_beta_text' } as const;
const SAMPLE = { slug: 'hello', version: '1.1.0', before: '1.0.0', reason: 'ECONNREFUSED' };
const RECIPIENTS = { kind: 'system', to: 'administrators' } as const;

registerNotice({
  kind: 'system',
  title: { key: 'pluginStore.notice_failed' },
  texts: [{ key: 'pluginStore.rolled_back', params: SAMPLE }],
});
registerNotice({
  kind: 'system',
  title: { key: 'pluginStore.notice_newer', params: SAMPLE },
  texts: [
    { key: 'pluginStore.notice_newer_text', params: SAMPLE },
    { key: 'pluginStore.notice_newer_beta_text', params: SAMPLE },
    { key: 'pluginStore.notice_newer_theme_text', params: SAMPLE },
    { key: 'pluginStore.notice_newer_theme_beta_text', params: SAMPLE },
  ],
});
registerNotice({
  kind: 'system',
  title: { key: 'pluginStore.notice_closed', params: SAMPLE },
  texts: [{ key: 'pluginStore.notice_closed_text', params: SAMPLE }],
});
registerNotice({
  kind: 'system',
  title: { key: 'pluginStore.notice_withdrawn', params: SAMPLE },
  texts: [{ key: 'pluginStore.notice_withdrawn_text', params: SAMPLE }],
});
registerNotice({
  kind: 'system',
  title: { key: 'pluginStore.notice_blocked', params: SAMPLE },
  texts: [{ key: 'pluginStore.notice_blocked_text', params: SAMPLE }],
});

/** A version in the store that is newer than the installed one. */
export interface NewerVersion {
  readonly slug: string;
  readonly version: string;
  readonly isBeta: boolean;
}

/** Notifies administrators about plugins, themes and their store. */
@Injectable()
export class StoreNotices {
  constructor(private readonly notices: Notices) {}

  /** Notifies of an upgrade that was rolled back automatically; other failures are shown to whoever started the action. */
  async notifyFailed(task: string, error: AppError): Promise<void> {
    if (!(error instanceof PluginStoreError) || error.code !== 'ROLLED_BACK') return;
    await this.notices.send({
      ...RECIPIENTS,
      level: 'danger',
      key: `plugin-rolled-back:${task}`,
      title: { key: 'pluginStore.notice_failed' },
      text: { key: 'pluginStore.rolled_back', params: error.params },
      link: PLUGINS,
    });
  }

  /** Notifies once of a newer version or beta. */
  async notifyNewer(type: PackageType, { slug, version, isBeta }: NewerVersion): Promise<void> {
    await this.notices.send({
      ...RECIPIENTS,
      level: 'info',
      key: `${type}-newer:${slug}:${version}`,
      title: { key: 'pluginStore.notice_newer', params: { slug, version } },
      text: { key: (isBeta ? BETA_TEXTS : NEWER_TEXTS)[type], params: { slug, version } },
      link: LISTS[type],
    });
  }

  /** Notifies of discontinued items and withdrawn versions. */
  async notifyDiscontinued(type: PackageType, { closed, withdrawn = [] }: Pick<StoreUpdatesWire, 'closed' | 'withdrawn'>): Promise<void> {
    for (const { slug, reason, since } of closed) await this.notifyClosed(type, slug, reason, since);
    for (const { slug, version, reason, since } of withdrawn) await this.notifyWithdrawn(type, slug, version, reason, since);
  }

  /** Notifies of an item the store discontinued. */
  private async notifyClosed(type: PackageType, slug: string, reason: string, since: string): Promise<void> {
    await this.notices.send({
      ...RECIPIENTS,
      level: 'warning',
      key: `${type}-closed:${slug}:${since}`,
      title: { key: 'pluginStore.notice_closed', params: { slug } },
      text: { key: 'pluginStore.notice_closed_text', params: { slug, reason: reason || '–' } },
      link: LISTS[type],
    });
  }

  /** Notifies of a version withdrawn by its author. */
  private async notifyWithdrawn(type: PackageType, slug: string, version: string, reason: string, since: string): Promise<void> {
    await this.notices.send({
      ...RECIPIENTS,
      level: 'warning',
      key: `${type}-withdrawn:${slug}:${version}:${since}`,
      title: { key: 'pluginStore.notice_withdrawn', params: { slug, version } },
      text: { key: 'pluginStore.notice_withdrawn_text', params: { slug, version, reason: reason || '–' } },
      link: LISTS[type],
    });
  }

  /** Notifies of an item disabled because its store blocked it. @param at time in milliseconds; if enabled again, a new notice is sent */
  async notifyBlocked(type: PackageType, slug: string, version: string, reason: string, at: number): Promise<void> {
    await this.notices.send({
      ...RECIPIENTS,
      level: 'danger',
      key: `${type}-blocked:${slug}:${at}`,
      title: { key: 'pluginStore.notice_blocked', params: { slug } },
      text: { key: 'pluginStore.notice_blocked_text', params: { slug, version, reason: reason || '–' } },
      link: LISTS[type],
    });
  }
}
