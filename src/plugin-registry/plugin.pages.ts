import { Controller } from '@nestjs/common';

import { logVolume, PLUGIN_SLUG } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, defineList, type ListRow } from '../web/index.js';

import { kilobytes } from './call-summary.js';

const bySlug = (row: ListRow): Record<string, string> => ({ slug: String(row.slug) });
const field =
  (name: string) =>
  (row: ListRow): string =>
    String(row[name] ?? '');
/** A labelled line, shown only if the row has a value for it. */
const worded =
  (name: string, key: string) =>
  (row: ListRow, translate: (key: string, params?: Record<string, string>) => string): string =>
    row[name] ? translate(key, { list: String(row[name]) }) : '';
const named = (value: unknown): string => (Array.isArray(value) ? value : Object.keys(value ?? {})).join(', ');

const PLUGINS = defineList({
  id: 'plugins',
  operation: 'plugin_list',
  whole: true,
  empty: 'plugins.empty',
  columns: [
    {
      field: 'name',
      title: 'plugins.name',
      kind: 'named',
      notes: [
        { text: field('description') },
        { text: field('error'), tone: 'danger' },
        { text: field('activity') },
        {
          text: (row, translate) => named(row.requires_plugins) && translate('plugins.needs', { list: named(row.requires_plugins) }),
        },
        { text: field('upgrade') },
        {
          text: (row, translate) =>
            row.newer ? translate(row.newer_beta ? 'plugins.newer_beta' : 'plugins.newer', { version: String(row.newer) }) : '',
        },
        { text: worded('type', 'plugins.type') },
        { text: worded('permissions', 'plugins.permissions') },
        { text: (row) => (Array.isArray(row.warnings) ? row.warnings.map(String) : []), fold: 'plugins.warnings' },
      ],
    },
    { field: 'version', title: 'plugins.version', kind: 'code' },
    { field: 'author', title: 'plugins.author', whole: true },
    {
      field: 'status',
      title: 'plugins.status',
      kind: 'badge',
      badges: {
        starting: ['blue', 'plugins.starting'],
        quarantined: ['red', 'plugins.quarantined'],
        active: ['green', 'plugins.active'],
        enabled: ['green', 'plugins.active'],
        failed: ['red', 'plugins.failed'],
        disabled: ['secondary', 'plugins.disabled'],
        installed: ['secondary', 'plugins.disabled'],
        waiting: ['yellow', 'plugins.waiting'],
        available: ['azure', 'plugins.available'],
        broken: ['red', 'plugins.broken'],
        gone: ['red', 'plugins.gone'],
      },
    },
  ],
  actions: [
    {
      label: 'plugins.install',
      when: (row) => !row.installed && Boolean(row.installable) && row.powers === '',
      tone: 'primary',
      operation: 'plugin_install',
      fields: bySlug,
      then: 'reload',
    },
    {
      label: 'plugins.install',
      when: (row) => !row.installed && Boolean(row.installable) && row.powers !== '',
      tone: 'primary',
      operation: 'plugin_install',
      fields: bySlug,
      confirm: 'plugins.powers_confirm',
      then: 'reload',
    },
    {
      label: 'plugins.enable',
      when: (row) => Boolean(row.installed) && !row.enabled && Boolean(row.installable),
      tone: 'primary',
      operation: 'plugin_enable',
      fields: (row) => ({ ...bySlug(row), enabled: 'true' }),
      then: 'reload',
    },
    {
      label: 'plugins.switch_over',
      when: (row) => Boolean(row.enabled) && Boolean(row.replaced) && row.more === '',
      tone: 'primary',
      operation: 'plugin_enable',
      fields: (row) => ({ ...bySlug(row), enabled: 'true' }),
      confirm: 'plugins.switch_over_confirm',
      then: 'reload',
    },
    {
      label: 'plugins.switch_over',
      when: (row) => Boolean(row.enabled) && Boolean(row.replaced) && row.more !== '',
      tone: 'primary',
      operation: 'plugin_enable',
      fields: (row) => ({ ...bySlug(row), enabled: 'true' }),
      confirm: 'plugins.switch_over_asks',
      then: 'reload',
    },
    {
      label: 'plugins.upgrade',
      when: (row) => row.newer !== '' && !row.newer_beta,
      tone: 'primary',
      operation: 'plugin_upgrade',
      fields: bySlug,
      confirm: 'plugins.upgrade_confirm',
      follows: 'plugin-task',
    },
    {
      label: 'plugins.upgrade_beta',
      when: (row) => row.newer !== '' && Boolean(row.newer_beta),
      operation: 'plugin_upgrade',
      fields: bySlug,
      confirm: 'plugins.upgrade_beta_confirm',
      follows: 'plugin-task',
    },
    {
      label: 'plugins.rollback',
      when: (row) => Boolean(row.installed) && row.before !== '',
      operation: 'plugin_rollback',
      fields: bySlug,
      confirm: 'plugins.rollback_confirm',
      follows: 'plugin-task',
    },
    {
      label: 'plugins.calls',
      when: (row) => row.calls !== 0,
      href: (row) => `/admin/plugin-calls?slug=${encodeURIComponent(String(row.slug))}`,
    },
    {
      label: 'plugins.retry',
      when: (row) => row.status === 'quarantined',
      tone: 'primary',
      operation: 'plugin_retry',
      fields: bySlug,
      then: 'reload',
    },
    {
      label: 'plugins.disable',
      when: (row) => Boolean(row.enabled) && row.status !== 'gone',
      operation: 'plugin_enable',
      fields: (row) => ({ ...bySlug(row), enabled: 'false' }),
      confirm: 'plugins.disable_confirm',
      then: 'reload',
    },
    {
      label: 'plugins.uninstall',
      when: (row) => Boolean(row.removable) && row.package === true,
      operation: 'plugin_uninstall',
      fields: (row) => ({ ...bySlug(row), data: 'keep' }),
      confirm: 'plugins.uninstall_package_confirm',
      then: 'reload',
    },
    {
      label: 'plugins.uninstall',
      when: (row) => Boolean(row.removable) && row.package !== true,
      operation: 'plugin_uninstall',
      fields: (row) => ({ ...bySlug(row), data: 'keep' }),
      confirm: 'plugins.uninstall_confirm',
      then: 'reload',
    },
    {
      label: 'plugins.purge',
      when: (row) => Boolean(row.removable),
      tone: 'danger',
      operation: 'plugin_uninstall',
      fields: (row) => ({ ...bySlug(row), data: 'drop' }),
      confirm: 'plugins.purge_confirm',
      then: 'reload',
    },
  ],
});

const CALLS = defineList({
  id: 'plugin-calls',
  operation: 'plugin_calls',
  empty: 'plugins.calls_empty',
  given: ['slug'],
  columns: [
    {
      field: 'place',
      title: 'plugins.place',
      kind: 'named',
      words: (row) => String(row.place_text),
      notes: [{ text: (row) => (row.place_text === row.place ? '' : String(row.place)), tone: 'code' }],
    },
    { field: 'calls', title: 'plugins.call_count' },
    { field: 'errors', title: 'plugins.errors' },
    { field: 'timeouts', title: 'plugins.timeouts' },
    { field: 'mean_ms', title: 'plugins.mean' },
    { field: 'longest_ms', title: 'plugins.longest' },
    { field: 'total_ms', title: 'plugins.total_time' },
    {
      field: 'state',
      title: 'plugins.status',
      kind: 'badge',
      badges: { open: ['green', 'plugins.open'], paused: ['red', 'plugins.paused'] },
    },
  ],
});

/** Pages of plugins, and of the calls into one. */
@Controller()
export class PluginListPages {
  @Page({
    side: 'admin',
    path: 'plugins',
    title: 'plugins.menu.plugins',
    // Stays in the menu even if a plugin empties it, so that the plugin can be disabled there.
    menu: { icon: 'mdi-puzzle-outline', order: 40, lasting: true },
    lists: [PLUGINS],
  })
  plugins(): object {
    return {};
  }

  /** Shows the calls into one plugin, their duration, and its log volume. */
  @Page({ side: 'admin', path: 'plugin-calls', title: 'plugins.menu.plugins', lists: [CALLS] })
  calls({ query }: RequestContext): object {
    const slug = query.slug ?? '';
    if (!PLUGIN_SLUG.test(slug)) throw new PageMissing();
    const written = logVolume(slug);
    return { slug, log: { lines: written.lines, kb: kilobytes(written), dropped: written.dropped } };
  }
}
