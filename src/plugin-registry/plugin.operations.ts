import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { PLUGIN_SLUG, sayWords, timeInSentence, translate, type Fault, type Locale, type LogVolume } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { SuccessReply, ListInput, NoInput, Operation, ListReply, Switch } from '../operations/index.js';
import { grantedBy, newPermissions, compareVersions, isKnownPermission, permissionsOf } from '../packaging/index.js';
import { PaymentMethods } from '../payment/index.js';
import type { CallContext } from '../sdk/index.js';

import { kilobytes, milliseconds, type CallSummary } from './call-summary.js';
import { sayPlace, sayPlaces } from './fault-places.js';
import { PluginInfos } from './plugin-infos.js';
import { PluginNotices, type PluginNotice } from './plugin-notices.js';
import { PluginListings, type PluginListing } from './plugin-listings.js';
import { PluginReconciler } from './plugin-reconciler.js';
import { PluginRegistry } from './plugin-registry.js';
import type { PluginPackage } from './package/manifest.js';
import { versionsBefore } from './package/package-folders.js';
import { originOf } from './package/package-origin.js';
import { packageWords } from './package/plugin-texts.js';
import { permissionList } from './permission-words.js';

/** Page for choosing the payment methods offered to buyers. */
const SETTINGS = '/admin/settings?tab=payments';

class SlugInput {
  @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) slug!: string;
}

class CallsInput extends ListInput {
  @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) slug!: string;
}

class EnableInput extends SlugInput {
  @IsOptional() @Switch() enabled = true;
}

class SafeModeInput {
  @Switch() enabled!: boolean;
}

class UninstallInput extends SlugInput {
  /** `keep` (the default) keeps the plugin's tables, options and files for a later installation. */
  @IsOptional() @IsString() @MaxLength(4) @IsIn(['keep', 'drop']) data: 'keep' | 'drop' = 'keep';
}

/** Administrators' operations on plugins. Source: docs/panel-api.md "Plugins". */
@Injectable()
export class PluginOperations {
  constructor(
    private readonly registry: PluginRegistry,
    private readonly running: PluginReconciler,
    private readonly listings: PluginListings,
    private readonly config: AppConfig,
    private readonly infos: PluginInfos,
    private readonly notices: PluginNotices,
    private readonly methods: PaymentMethods,
  ) {}

  @Operation({ side: 'admin', gn: 'plugin_list', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const listings = await this.listings.all();
    const notices = this.notices.all();
    return new ListReply(
      listings.length,
      listings.map((listing) =>
        wireRow(listing, this.infos.of(listing.slug), notices.get(listing.slug) ?? [], ctx.locale as Locale, this.config.timezone),
      ),
    );
  }

  @Operation({ side: 'admin', gn: 'plugin_calls', auth: 'admin', input: CallsInput, audit: null, rate: 'read' })
  calls({ slug, page, limit }: CallsInput, ctx: CallContext): ListReply {
    const places = this.listings.callsOf(slug);
    return new ListReply(
      places.length,
      places.slice((page - 1) * limit, page * limit).map(({ place, calls, errors, timeouts, mean, longest, paused }) => ({
        place,
        place_text: sayPlace(ctx.locale as Locale, place),
        calls,
        errors,
        timeouts,
        mean_ms: milliseconds(mean),
        longest_ms: milliseconds(longest),
        total_ms: Math.round(mean * calls),
        state: paused ? 'paused' : 'open',
      })),
    );
  }

  @Operation({ side: 'admin', gn: 'plugin_install', auth: 'admin', input: SlugInput, audit: 'plugins.audit.install', rate: 'write' })
  async install({ slug }: SlugInput): Promise<SuccessReply> {
    await this.registry.install(slug);
    return new SuccessReply('plugins.installed');
  }

  @Operation({ side: 'admin', gn: 'plugin_enable', auth: 'admin', input: EnableInput, audit: 'plugins.audit.enable', rate: 'write' })
  async enable({ slug, enabled }: EnableInput, ctx: CallContext): Promise<SuccessReply> {
    if (enabled) {
      await this.registry.enable(slug);
      const offered = await this.methods.introduce(slug, ctx.locale as Locale);
      if (offered.length === 0) {
        const waits = await this.methods.waitsForSetUp(slug);
        return waits ? new SuccessReply('plugins.enabled_to_set_up', { url: SETTINGS }) : new SuccessReply('plugins.enabled');
      }
      const names = offered.map(({ display_name }) => display_name).join(', ');
      return new SuccessReply('plugins.enabled_with_methods', { methods: offered.map(({ type }) => type), url: SETTINGS }, { names });
    }
    const stopped = await this.registry.disable(slug);
    return stopped.length
      ? new SuccessReply('plugins.disabled_with_dependents', { stopped }, { slugs: stopped.join(', ') })
      : new SuccessReply('plugins.disabled');
  }

  @Operation({ side: 'admin', gn: 'plugin_retry', auth: 'admin', input: SlugInput, audit: 'plugins.audit.retry', rate: 'write' })
  async retry({ slug }: SlugInput): Promise<SuccessReply> {
    await this.registry.enable(slug);
    return new SuccessReply('plugins.retried');
  }

  @Operation({
    side: 'admin',
    gn: 'plugin_safe_mode',
    auth: 'admin',
    input: SafeModeInput,
    audit: 'plugins.audit.safe_mode',
    rate: 'write',
  })
  async safeMode({ enabled }: SafeModeInput): Promise<SuccessReply> {
    if (enabled) await this.running.enterSafeMode();
    else await this.running.leaveSafeMode();
    return new SuccessReply(enabled ? 'plugins.safe_mode_on' : 'plugins.safe_mode_off');
  }

  @Operation({
    side: 'admin',
    gn: 'plugin_uninstall',
    auth: 'admin',
    input: UninstallInput,
    audit: 'plugins.audit.uninstall',
    rate: 'write',
  })
  async uninstall({ slug, data }: UninstallInput): Promise<SuccessReply> {
    const isGone = await this.registry.uninstall(slug, data === 'keep');
    await this.methods.forget(slug);
    return new SuccessReply(isGone ? 'plugins.uninstalled_package' : 'plugins.uninstalled');
  }
}

/** Returns name and description: texts in the reader's language first, then what the running plugin registered, then the manifest. */
function ownWords(
  shown: PluginPackage,
  info: Readonly<Record<string, string>>,
  locale: Locale,
  isRunning: boolean,
): Readonly<Record<string, string>> {
  const words = packageWords(shown, locale, isRunning);
  return {
    name: words.name === shown.name ? (info.name ?? shown.name) : words.name,
    description: words.description === shown.description ? (info.description ?? shown.description) : words.description,
  };
}

/**
 * Returns a plugin's row in the list, in the caller's language.
 *
 * @param info information registered by the running plugin
 * @param noticed notices of the running plugin
 */
export function wireRow(
  { slug, package: found, running, replaced, row, status, problem, fault, calls, log }: PluginListing,
  info: Readonly<Record<string, string>>,
  noticed: readonly PluginNotice[],
  locale: Locale,
  timezone: string,
): Record<string, unknown> {
  const reason = problem ? sayWords(locale, sayPlaces(locale, problem.told)) : '';
  const faultWords = fault ? sayWords(locale, fault.message) : '';
  const shown = running ?? found;
  const origin = found && originOf(found.folder);
  const permissions = shown ? permissionsOf(shown.manifest) : [];
  const described = shown ? ownWords(shown, info, locale, running !== null) : info;
  const newer = row && row.newerVersion !== '' && compareVersions(row.newerVersion, row.version) > 0 ? row.newerVersion : null;
  return {
    slug,
    name: described.name ?? row?.name ?? slug,
    version: shown?.version ?? row?.version ?? '',
    disk_version: found?.version ?? '',
    replaced: replaced && found !== null,
    upgrade: running && replaced ? upgradeText(locale, running.version, found?.version) : '',
    description: described.description ?? '',
    author: info.author ?? shown?.author ?? '',
    meta: { type: list(shown?.manifest.type), permissions: list(shown?.manifest.permissions), info },
    type: list(shown?.manifest.type).join(', '),
    permissions: permissionList(permissions, locale),
    powers: permissionList((found ? permissionsOf(found.manifest) : permissions).filter(isKnownPermission), locale),
    more: running && found ? permissionList(newPermissions(permissionsOf(found.manifest), grantedBy(permissions)), locale) : '',
    installed: row !== null,
    package: origin !== null,
    store: origin?.store ?? '',
    newer: newer ?? '',
    newer_beta: newer !== null && row!.newerBeta,
    betas: row?.betas ?? '',
    before: found ? (versionsBefore(found.folder, slug)[0]?.version ?? '') : '',
    installable: found !== null,
    removable: row !== null && (!row.enabled || status === 'gone'),
    enabled: row?.enabled ?? false,
    status,
    error:
      reason ||
      (fault && fault.count > 0 ? translate(locale, 'plugins.at_place', { place: sayPlace(locale, fault.place), reason: faultWords }) : ''),
    faults: fault?.count ?? 0,
    last_fault: fault ? { place: fault.place, message: faultWords, at: fault.at.toISOString() } : null,
    calls: calls.calls,
    call_errors: calls.errors,
    timeouts: calls.timeouts,
    mean_ms: milliseconds(calls.mean),
    longest_ms: milliseconds(calls.longest),
    paused: calls.paused,
    log_lines: log.lines,
    log_bytes: log.bytes,
    log_left_out: log.dropped,
    activity: activityText(calls, log, fault, locale, timezone),
    warnings: [...(found?.notices ?? []), ...noticed].map(({ text, params }) => translate(locale, text, params)),
    requires_plugins: Object.fromEntries(shown?.dependencies ?? []),
    db_version: row?.version ?? '',
    updated_at: row?.updatedAt.toISOString() ?? '',
  };
}

/** @param found the version in the folder; undefined if it cannot be read */
function upgradeText(locale: Locale, running: string, found: string | undefined): string {
  if (found === undefined) return translate(locale, 'plugins.upgrade.unreadable', { running });
  return translate(locale, found === running ? 'plugins.upgrade.other_files' : 'plugins.upgrade.other_version', { running, found });
}

/** Describes the statistics as a text, with what explains slowness first. */
function activityText(
  { calls, errors, timeouts, mean, longest, paused }: CallSummary,
  log: LogVolume,
  fault: Fault | null,
  locale: Locale,
  timezone: string,
): string {
  const parts = [];
  if (calls > 0) {
    parts.push(translate(locale, 'plugins.activity.calls', { n: calls, mean: milliseconds(mean), longest: milliseconds(longest) }));
    if (errors > 0) parts.push(translate(locale, 'plugins.activity.errors', { n: errors }));
    if (timeouts > 0) parts.push(translate(locale, 'plugins.activity.timeouts', { n: timeouts }));
    if (paused > 0) parts.push(translate(locale, 'plugins.activity.paused', { n: paused }));
  }
  if (log.lines > 0) parts.push(translate(locale, 'plugins.activity.log', { n: log.lines, kb: kilobytes(log) }));
  if (log.dropped > 0) parts.push(translate(locale, 'plugins.activity.left_out', { n: log.dropped }));
  // A fault since the start is shown in `error`, except for its time.
  if (fault)
    parts.push(
      translate(locale, fault.count > 0 ? 'plugins.activity.fault_at' : 'plugins.activity.fault', {
        place: sayPlace(locale, fault.place),
        message: sayWords(locale, fault.message).slice(0, 200),
        time: timeInSentence(fault.at, timezone),
      }),
    );
  return parts.join(translate(locale, 'plugins.activity.between'));
}

/** Returns a list of texts from the manifest; an invalid list is reported as a notice elsewhere. */
function list(value: unknown): string[] {
  return Array.isArray(value)
    ? value
        .filter((item): item is string => typeof item === 'string')
        .map((item) => item.slice(0, 60))
        .slice(0, 20)
    : [];
}
