import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../../common/index.js';
import { Database, Generations } from '../../../database/index.js';
import { checkVersion, type FormValues } from '../../../http/index.js';
import { OperationError } from '../../../operations/index.js';
import type { CallContext } from '../../../sdk/index.js';
import {
  settingProblem,
  settingsByField,
  ThemeCatalogue,
  valueKeys,
  type ThemeSetting,
  type ThemeSettingValues,
} from '../../../theme/index.js';
import { ThemeSettingRow } from '../../entities/index.js';
import { ThemeChoiceError } from '../errors.js';
import { draftOf } from '../theme-preview.js';
import { ThemePictures } from './theme-pictures.js';

const GENERATION = 'theme_settings';
/** Administrator id of the saved settings. */
const EVERYBODY = 0;
/** How long unsaved drafts are kept, in milliseconds. */
const DRAFT_MS = DAY_MS;
/** Maximum bytes of all values of a theme: the column's limit, with room for the quotes. */
const MAX_BYTES = 60_000;

/** Form values of a theme's settings, by field name. */
export function settingsForm(settings: readonly ThemeSetting[], values: ThemeSettingValues): FormValues {
  return Object.fromEntries(settings.flatMap((setting) => valueKeys(setting).map((key) => [fieldName(key), shown(setting, values[key])])));
}

/** Returns the name of a field in forms and error messages. */
export const fieldName = (key: string): string => `cs[${key}]`;

/** Settings of themes: saved for everybody, or a draft of one administrator. Changes reach every process within two seconds. */
@Injectable()
export class ThemeSettings {
  private saved = new Map<string, ThemeSettingValues>();
  private readonly create;
  private readonly forgetDrafts;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly catalogue: ThemeCatalogue,
    private readonly pictures: ThemePictures,
    private readonly clock: Clock,
  ) {
    this.create = database.statement(
      `${database.insertIgnore} {ThemeSettingRow} ({ThemeSettingRow.theme}, {ThemeSettingRow.administrator}, {ThemeSettingRow.choices},
       {ThemeSettingRow.changedAt}) VALUES (?, ?, ?, ?)`,
    );
    this.forgetDrafts = database.statement(
      'DELETE FROM {ThemeSettingRow} WHERE {ThemeSettingRow.administrator} <> ? AND {ThemeSettingRow.changedAt} < ?',
    );
  }

  /** Loads the settings and starts following changes of other processes. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, () => this.load());
    await this.load();
  }

  /** Returns the settings for rendering a theme's pages: the saved ones, or the caller's draft if the request shows one. */
  async forPage(theme: string, call?: CallContext): Promise<ThemeSettingValues> {
    if (call?.admin && draftOf(call) === theme) {
      const draft = await this.rows().findOneBy({ theme, administrator: call.admin.id });
      if (draft) return draft.choices;
    }
    return this.savedOf(theme);
  }

  /** Returns the saved settings, without values equal to the theme's defaults. */
  savedOf(theme: string): ThemeSettingValues {
    return this.saved.get(theme) ?? {};
  }

  /** Returns the setting declarations of a theme. @throws ThemeChoiceError NO_SETTINGS if it has none or does not exist */
  declared(theme: string): readonly ThemeSetting[] {
    const settings = this.catalogue.package(theme)?.settings ?? [];
    if (settings.length === 0) throw new ThemeChoiceError('NO_SETTINGS', { theme });
    return settings;
  }

  /**
   * Saves settings for everybody; missing ones are kept.
   *
   * @param version version sent by the form, see `checkVersion`
   * @throws OperationError INVALID_INPUT naming the invalid fields; StaleForm
   */
  async save(theme: string, given: ThemeSettingValues, version?: string): Promise<void> {
    const settings = this.declared(theme);
    await this.refuse(theme, given);
    await this.change(theme, (before) => {
      checkVersion(version, settingsForm(settings, before));
      return kept(settings, { ...before, ...given });
    });
  }

  /** Resets a theme to its defaults. */
  async reset(theme: string): Promise<void> {
    await this.change(theme, () => ({}));
  }

  /** Stores a draft, shown only to this administrator on pages whose URL names the theme as a draft. @throws as {@link save} */
  async draft(theme: string, given: ThemeSettingValues, administrator: number): Promise<void> {
    await this.refuse(theme, given);
    const now = this.clock.now();
    const choices = kept(this.declared(theme), { ...this.savedOf(theme), ...given });
    await this.rows().upsert({ theme, administrator, choices, changedAt: now }, { conflictPaths: { theme: true, administrator: true } });
    await this.forgetDrafts.run(EVERYBODY, new Date(now.getTime() - DRAFT_MS));
  }

  /** Deletes all settings of a removed theme. */
  async forget(theme: string): Promise<void> {
    await this.rows().delete({ theme });
    await this.changed();
  }

  /** @throws OperationError INVALID_INPUT */
  private async refuse(theme: string, given: ThemeSettingValues): Promise<void> {
    const problems = await this.problemsOf(theme, given);
    const fields = Object.fromEntries(Object.entries(problems).map(([key, problem]) => [fieldName(key), problem]));
    const [field] = Object.keys(fields);
    if (field !== undefined) throw new OperationError('INVALID_INPUT', { field }, fields);
  }

  /** Returns the problems of values, by field key. @throws ThemeChoiceError NO_SETTINGS */
  async problemsOf(theme: string, given: ThemeSettingValues): Promise<Record<string, string>> {
    const settings = this.declared(theme);
    const known = settingsByField(settings);
    const problems: Record<string, string> = {};
    for (const [key, value] of Object.entries(given)) {
      const setting = known.get(key);
      const problem = setting ? await this.problemOf(setting, value) : 'site.theme_setting_unknown';
      if (problem !== null) problems[key] = problem;
    }
    const all = JSON.stringify(kept(settings, { ...this.savedOf(theme), ...given }));
    if (Object.keys(problems).length === 0 && Buffer.byteLength(all) > MAX_BYTES)
      problems[Object.keys(given).at(-1)!] = 'site.theme_settings_too_long';
    return problems;
  }

  private async problemOf(setting: ThemeSetting, value: string): Promise<string | null> {
    if (setting.type !== 'image') return settingProblem(setting, value);
    // Only the panel names image files.
    return value === '' || (await this.pictures.find(value)) !== null ? null : 'site.theme_setting_picture';
  }

  private async change(theme: string, next: (before: ThemeSettingValues) => ThemeSettingValues): Promise<void> {
    await this.database.transaction(async () => {
      await this.create.run(theme, EVERYBODY, '{}', this.clock.now());
      await this.database.lockRow('ThemeSettingRow', 'theme', theme);
      const { id, choices: before } = await this.rows().findOneByOrFail({ theme, administrator: EVERYBODY });
      const choices = next(before);
      await this.rows().update({ id }, { choices: { ...choices }, changedAt: this.clock.now() });
      const removed = Object.fromEntries(Object.keys(before).map((key) => [key, null]));
      this.database.noteChange({ of: 'theme', id: theme }, before, { ...removed, ...choices });
      await this.generations.bump(GENERATION);
    });
    await this.changed();
  }

  private async changed(): Promise<void> {
    await this.load();
    await this.generations.catchUp(GENERATION);
    const rows = await this.rows().find();
    const named = new Set(rows.flatMap(({ choices }) => Object.values(choices)));
    await this.pictures.sweep((name) => named.has(name));
  }

  private async load(): Promise<void> {
    const rows = await this.rows().findBy({ administrator: EVERYBODY });
    this.saved = new Map(rows.map(({ theme, choices }) => [theme, choices]));
  }

  private rows() {
    return this.database.repository(ThemeSettingRow);
  }
}

/** Returns the displayed value: the saved one, else the theme's default; an unset text is empty, with the default as its placeholder. */
function shown({ type, preset }: ThemeSetting, value: string | undefined): string {
  return value ?? (type === 'text' || type === 'markdown' ? '' : preset);
}

/** Drops values equal to the theme's defaults and undeclared ones, so that the defaults of a newer version take effect. */
function kept(settings: readonly ThemeSetting[], values: ThemeSettingValues): Record<string, string> {
  const known = settingsByField(settings);
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => {
      const setting = known.get(key);
      return setting !== undefined && value !== shown(setting, undefined);
    }),
  );
}
