import type { AjaxResult, CallContext, FormValues, SvcFacade } from '@svc/sdk';

import type { GatewayField, Settings, SettingsParts } from './gateway-field.js';
import { settingsPage } from './settings-page.js';
import { say, type Word } from './words.js';

/** Unused option whose write serializes saving: the first writer in a transaction blocks the others. */
const LOCK = 'lock';

const isSecret = ({ kind }: GatewayField): boolean => kind === 'secret' || kind === 'secret_lines';

/**
 * Settings of a gateway: a tab in the panel's settings, saved by the operation `p_<slug>_save`. The plugin's lang files contain `title`,
 * `intro` (instructions for the provider) and the texts of the fields.
 */
export class GatewaySettings {
  constructor(
    private readonly svc: SvcFacade,
    private readonly parts: SettingsParts,
  ) {}

  /** Registers tab, page and operation. */
  register(): void {
    const { svc } = this;
    svc.svc_register_page('admin', 'settings', (ctx) => this.page(ctx), 'title');
    svc.svc_register_settings_tab('admin', { id: svc.slug, title: 'title', order: this.parts.order, page: 'settings' });
    svc.svc_register_ajax('admin', `p_${svc.slug}_save`, (ctx) => this.save(ctx), 'admin', {
      audit: 'audit.settings_saved',
      secondProof: true,
    });
  }

  private async page(ctx: CallContext): Promise<string> {
    const values = await this.read();
    return settingsPage(ctx, { slug: this.svc.slug, parts: this.parts, values, version: this.svc.svc_row_version(this.shown(values)) });
  }

  async read(): Promise<Settings> {
    const { slug } = this.svc;
    const values = this.parts.fields.map(async ({ key, choices }) => {
      const kept = await this.svc.svc_plugin_option_get<unknown>(slug, key, '');
      return [key, String(kept || choices?.[0] || '')] as const;
    });
    return Object.fromEntries(await Promise.all(values));
  }

  private save(ctx: CallContext): Promise<AjaxResult> {
    const { svc } = this;
    return svc.db.transaction(async () => {
      await svc.svc_plugin_option_set(svc.slug, LOCK, '');
      return this.saveAlone(ctx);
    });
  }

  /** Implements {@link save} while holding its lock. */
  private async saveAlone(ctx: CallContext): Promise<AjaxResult> {
    const { svc } = this;
    const before = await this.read();
    svc.svc_check_row_version(ctx.body.row_version, this.shown(before));
    const given = this.given(ctx, before);
    const problems = this.problems(ctx, before, given);
    const [first, ...more] = Object.values(problems);
    if (first !== undefined) {
      const text = more.length === 0 ? first : say(ctx.locale, 'refused');
      return { success: false, qk: 4, code: text, msg: text, err: 'E_ARGS', data: null, fields: problems };
    }
    for (const field of this.parts.fields)
      if (given[field.key] !== before[field.key])
        await svc.svc_plugin_option_set(svc.slug, field.key, given[field.key]!, { secret: isSecret(field) });
    const secret = this.parts.fields.filter(isSecret).map(({ key }) => key);
    svc.db.noteChange({ of: 'gateway', secret }, before, given);
    const text = say(ctx.locale, 'saved');
    const next = ctx.body.row_version ? { row_version: svc.svc_row_version(this.shown(given)) } : {};
    return { success: true, qk: 1, code: text, msg: text, data: {}, ...next };
  }

  /** Values shown in the form: without secrets, which stay unchanged unless entered. */
  private shown(values: Settings): FormValues {
    return Object.fromEntries(this.parts.fields.filter((field) => !isSecret(field)).map(({ key }) => [key, values[key]!]));
  }

  /** Values to save: fields not sent and empty secrets stay unchanged. */
  private given({ body }: CallContext, before: Settings): Settings {
    return Object.fromEntries(
      this.parts.fields.map((field) => {
        const sent = body[field.key]?.trim();
        return [field.key, sent === undefined || (sent === '' && isSecret(field)) ? before[field.key]! : sent];
      }),
    );
  }

  private problems(ctx: CallContext, before: Settings, given: Settings): Record<string, string> {
    const moved = this.parts.fields.some(({ key, isAddress }) => isAddress && given[key] !== before[key]);
    const wordOf = (field: GatewayField): Word | null => {
      const value = given[field.key]!;
      if (value.length > field.most) return 'too_long';
      if (value === '') return field.needed?.(given) ? 'needed' : null;
      if (field.choices && !field.choices.includes(value)) return 'not_offered';
      if (moved && field.isSent && before[field.key] !== '' && !ctx.body[field.key]?.trim()) return 'retype';
      return field.problem?.(value) ?? null;
    };
    return Object.fromEntries(
      this.parts.fields.flatMap((field) => {
        const word = wordOf(field);
        return word ? [[field.key, say(ctx.locale, word)]] : [];
      }),
    );
  }
}
