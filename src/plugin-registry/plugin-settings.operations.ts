import { Injectable } from '@nestjs/common';
import { IsOptional, IsString, Matches } from 'class-validator';

import { AppError, PLUGIN_SLUG, type ErrorShape } from '../common/index.js';
import { Database } from '../database/index.js';
import { HookRegistry } from '../hooks/index.js';
import { checkVersion, type FormValues, nextVersion, VersionField, versionOf } from '../http/index.js';
import { SuccessReply, Operation, OperationError } from '../operations/index.js';
import type { CallContext, SettingsField, SettingsTabRecord } from '../sdk/index.js';
import { SettingsTabRegistry, fieldProblem } from '../theme/index.js';

import { PluginOptions } from './plugin-options.js';

const MAX_TEXT = 20_000;

class GroupInput {
  /** Slug of the plugin. */
  @IsOptional() @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) slug?: string;
  /** The same under its name in older programs. */
  @IsOptional() @IsString() @Matches(PLUGIN_SLUG, { message: 'plugins.slug_invalid' }) z?: string;
}

class SettingsInput extends GroupInput {
  @VersionField() row_version?: string;
}

class UnknownTab extends AppError<'UNKNOWN_TAB'> {
  get shape(): ErrorShape {
    return { err: 'E_NOTEXIST', text: 'plugins.settings_unknown' };
  }
}

/** Stores the fields of plugins' settings tabs as their options. Source: docs/plugin-api.md "Settings tabs". */
@Injectable()
export class PluginSettingsOperations {
  constructor(
    private readonly tabs: SettingsTabRegistry,
    private readonly hooks: HookRegistry,
    private readonly options: PluginOptions,
    private readonly database: Database,
  ) {}

  @Operation({ side: 'admin', gn: 'szbc', auth: 'admin', input: SettingsInput, audit: 'plugins.audit.settings', rate: 'write' })
  async save({ row_version, ...input }: SettingsInput, ctx: CallContext): Promise<SuccessReply> {
    const slug = groupOf(input);
    const fields = await this.fieldsOf(slug);
    const given = fields.filter((field) => ctx.body[field.key] !== undefined);
    if (given.length === 0) throw new UnknownTab('UNKNOWN_TAB');
    const problems = Object.fromEntries(given.flatMap((field) => problemOf(field, ctx.body[field.key]!)));
    if (Object.keys(problems).length) throw new OperationError('INVALID_INPUT', { field: Object.keys(problems)[0]! }, problems);
    const after = await this.database.transaction(async () => {
      await this.database.lockRow('InstalledPlugin', 'slugKey', slug.toLowerCase());
      const before = await this.options.all(slug);
      checkVersion(row_version, optionsForm(fields, before));
      for (const field of given) {
        const value = ctx.body[field.key]!;
        const isSecret = field.type === 'password';
        // Passwords are never shown, so an empty one means "unchanged"; a stored one from earlier versions is encrypted now.
        const kept = isSecret && value === '' ? before[field.key] : value;
        if (kept !== undefined) await this.options.set(slug, field.key, kept, isSecret);
      }
      const now = await this.options.all(slug);
      const secret = fields.filter(({ type }) => type === 'password').map(({ key }) => key);
      this.database.noteChange({ of: 'plugin', id: slug, secret, only: given.map(({ key }) => key) }, before, now);
      return now;
    });
    return new SuccessReply('plugins.settings_saved', nextVersion(row_version, optionsForm(fields, after)), { slug });
  }

  /** Returns the settings that {@link save} stores; for a password only whether it is set. @throws UnknownTab */
  @Operation({ side: 'admin', gn: 'szsj', auth: 'admin', input: GroupInput, audit: null, rate: 'read' })
  async read(input: GroupInput): Promise<SuccessReply> {
    const slug = groupOf(input);
    const fields = await this.fieldsOf(slug);
    if (fields.length === 0) throw new UnknownTab('UNKNOWN_TAB');
    const stored = await this.options.all(slug);
    const form = optionsForm(fields, stored);
    const secrets = fields.filter(({ type }) => type === 'password').map(({ key }) => [key, Boolean(stored[key])]);
    const extras = { slug, sz: form, mm: Object.fromEntries(secrets) as Record<string, boolean>, row_version: versionOf(form) };
    return new SuccessReply('plugins.settings_read', extras);
  }

  private async fieldsOf(slug: string): Promise<SettingsField[]> {
    const tabs = await this.tabs.buildTabs(
      async (list) => (await this.hooks.applyByReference('settings.admin.tabs', list as SettingsTabRecord[])) as typeof list,
    );
    return tabs.filter((tab) => tab.owner === slug).flatMap((tab) => tab.fields);
  }
}

/** @throws UnknownTab if no plugin is named */
function groupOf({ slug, z }: GroupInput): string {
  const name = slug ?? z;
  if (!name) throw new UnknownTab('UNKNOWN_TAB');
  return name;
}

/** Returns the fields of a plugin's settings tabs as shown on the page, without passwords. */
export function optionsForm(fields: readonly SettingsField[], stored: Readonly<Record<string, unknown>>): FormValues {
  const shown = fields.filter(({ type }) => type !== 'password');
  return Object.fromEntries(shown.map(({ key, default: preset }) => [key, String(stored[key] ?? preset ?? '')]));
}

function problemOf(field: SettingsField, value: string): [string, string][] {
  const problem = value.length > MAX_TEXT ? 'http.too_large' : fieldProblem(field, value);
  return problem === null ? [] : [[field.key, problem]];
}
