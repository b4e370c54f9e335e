import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { translate, type Locale } from '../common/index.js';
import { Done, NoInput, Operation, Page, Switch } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { SLUG_PATTERN } from './package/manifest.js';
import { PluginRegistry, type PluginListing } from './plugin-registry.js';

class SlugInput {
  @IsString() @Matches(SLUG_PATTERN, { message: 'plugins.slug_invalid' }) slug!: string;
}

class EnableInput extends SlugInput {
  @IsOptional() @Switch() enabled = true;
}

class UninstallInput extends SlugInput {
  /** `keep` (the default) leaves the plugin's tables and options for a later installation. */
  @IsOptional() @IsString() @MaxLength(4) @IsIn(['keep', 'drop']) data: 'keep' | 'drop' = 'keep';
}

/** What an administrator does with plugins. Source: docs/panel-api.md "Plugins". */
@Injectable()
export class PluginOperations {
  constructor(private readonly registry: PluginRegistry) {}

  @Operation({ side: 'admin', gn: 'plugin_list', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<Page> {
    const listings = await this.registry.list();
    return new Page(listings.length, listings.map((listing) => wireRow(listing, ctx.locale as Locale)));
  }

  @Operation({ side: 'admin', gn: 'plugin_install', auth: 'admin', input: SlugInput, audit: 'plugins.audit.install', rate: 'write' })
  async install({ slug }: SlugInput): Promise<Done> {
    await this.registry.install(slug);
    return new Done('plugins.installed');
  }

  @Operation({ side: 'admin', gn: 'plugin_enable', auth: 'admin', input: EnableInput, audit: 'plugins.audit.enable', rate: 'write' })
  async enable({ slug, enabled }: EnableInput): Promise<Done> {
    if (enabled) {
      await this.registry.enable(slug);
      return new Done('plugins.enabled');
    }
    const stopped = await this.registry.disable(slug);
    return stopped.length
      ? new Done('plugins.disabled_with_dependents', { stopped }, { slugs: stopped.join(', ') })
      : new Done('plugins.disabled');
  }

  @Operation({ side: 'admin', gn: 'plugin_uninstall', auth: 'admin', input: UninstallInput, audit: 'plugins.audit.uninstall', rate: 'write' })
  async uninstall({ slug, data }: UninstallInput): Promise<Done> {
    await this.registry.uninstall(slug, data === 'keep');
    return new Done('plugins.uninstalled');
  }
}

/** A plugin as the list shows it, in the language of who asks. */
export function wireRow({ slug, package: found, row, status, problem, fault }: PluginListing, locale: Locale): Record<string, unknown> {
  const reason = problem ? translate(locale, problem.shape.text, problem.params) : '';
  return {
    slug,
    name: found?.name ?? row?.name ?? slug,
    version: found?.version ?? row?.version ?? '',
    description: found?.description ?? '',
    author: found?.author ?? '',
    meta: { type: found?.manifest.type ?? [], permissions: found?.manifest.permissions ?? [] },
    installed: row !== null,
    enabled: row?.enabled ?? false,
    status,
    error: reason || (fault ? `${fault.place}: ${fault.message}` : ''),
    faults: fault?.count ?? 0,
    requires_plugins: Object.fromEntries(found?.dependencies ?? []),
    db_version: row?.version ?? '',
    updated_at: row?.updatedAt.toISOString() ?? '',
  };
}
