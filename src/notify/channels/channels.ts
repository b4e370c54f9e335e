import { Injectable } from '@nestjs/common';

import { Clock, OutboundHttp, translate, type ChangedSubject, type Locale, type TextRef } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, type FormValues } from '../../http/index.js';
import type { NoticeMessage, Scope } from '../../sdk/index.js';
import { fieldProblem } from '../../theme/index.js';
import { NoticeChannel } from '../entities/index.js';
import { noticeKindsOf, type NoticeKind } from '../notice.js';

import { ChannelError } from './channel-error.js';
import { ChannelKinds } from './channel-kinds.js';
import { pluginType, type ChannelField, type ChannelSettings, type NotificationChannel } from './notification-channel.js';
import { lackingFields } from './plugin-channel.js';

/** Owner of channels; administrators share theirs. */
export interface ChannelOwner {
  readonly side: Scope;
  /** 0 on the admin side. */
  readonly accountId: number;
}

/** Fields of a channel. */
export interface ChannelDraft {
  /** See {@link NotificationChannel}. */
  readonly type: string;
  readonly name: string;
  /** An empty secret keeps its value. */
  readonly settings: ChannelSettings;
  readonly kinds: readonly NoticeKind[];
  readonly enabled: boolean;
}

/** Options of sending. */
export interface SendOptions {
  /** Language of the recipient. */
  readonly locale: Locale;
  readonly isTest?: boolean;
  /** Aborts the attempt. */
  readonly signal?: AbortSignal;
}

const PLACE = 'notify.channel';
const MAX = { admin: 20, user: 5 } as const;
const MAX_VALUE = 1_000;

/** Returns the type of a channel, see {@link NotificationChannel}. */
export function typeOf({ plugin, type }: Pick<NoticeChannel, 'plugin' | 'type'>): string {
  return plugin === '' ? type : pluginType(plugin, type);
}

/** Stores channels with encrypted secrets and sends messages through them. */
@Injectable()
export class Channels {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly http: OutboundHttp,
    private readonly kinds: ChannelKinds,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(NoticeChannel);
  }

  /** Returns the channels of an owner, oldest first. */
  list({ side, accountId }: ChannelOwner): Promise<NoticeChannel[]> {
    return this.rows.find({ where: { side, accountId }, order: { id: 'ASC' }, take: MAX.admin });
  }

  /** Returns a channel of an owner; null if not found. */
  find({ side, accountId }: ChannelOwner, id: number): Promise<NoticeChannel | null> {
    return this.rows.findOneBy({ id, side, accountId });
  }

  /** Returns the kind of a channel; undefined while its plugin is disabled. */
  kindOf(channel: NoticeChannel): NotificationChannel | undefined {
    return this.kinds.find(typeOf(channel));
  }

  /** Returns the field values without secrets; empty while its plugin is disabled. */
  shown(channel: NoticeChannel): ChannelSettings {
    const kind = this.kindOf(channel);
    if (!kind) return {};
    const settings = this.settingsOf(channel, kind);
    return Object.fromEntries(kind.fields.filter(({ type }) => type !== 'password').map(({ key }) => [key, settings[key] ?? '']));
  }

  /** Returns the form fields of a channel, without secrets. */
  form(channel: NoticeChannel): FormValues {
    const { name, side, kinds, enabled } = channel;
    const own = Object.entries(this.shown(channel)).map(([key, value]) => [`cs[${key}]`, value] as const);
    const enabledKinds = noticeKindsOf(side).filter((kind) => kinds.includes(kind));
    return { name, ...Object.fromEntries(own), sj: enabledKinds.join(', '), kg: enabled };
  }

  /** Returns why the channel cannot be used; null if it can. */
  problemOf(channel: NoticeChannel, locale: Locale): TextRef | null {
    const kind = this.kindOf(channel);
    if (!kind) return this.offProblem(channel).told;
    const lacking = lackingFields(kind, this.settingsOf(channel, kind));
    return lacking.length === 0 ? null : lackProblem(channel.name, lacking, locale).told;
  }

  /** @returns its id @throws ChannelError */
  async add(owner: ChannelOwner, draft: ChannelDraft): Promise<number> {
    const kind = this.kinds.find(draft.type);
    if (!kind) throw new ChannelError('TYPE_UNKNOWN', {}, { lx: 'notify.channel_type_unknown' });
    requireKinds(draft);
    const settings = checkedSettings(kind, draft.settings, {});
    // Counted inside the transaction, so that concurrent calls cannot exceed the limit.
    return this.database.transaction(async () => {
      if ((await this.rows.countBy({ ...owner })) >= MAX[owner.side]) throw new ChannelError('TOO_MANY', { n: MAX[owner.side] });
      const values = {
        ...owner,
        plugin: kind.plugin,
        type: kind.kind,
        ...valuesOf(draft),
        settings: this.sealed(settings),
        createdAt: this.clock.now(),
      };
      const id = Number((await this.rows.insert(values)).identifiers[0]!.id);
      this.database.noteChange(channelSubject(id, kind), null, { ...valuesOf(draft), ...settings });
      return id;
    });
  }

  /**
   * Changes a channel; its kind stays, and while its plugin is disabled also its settings.
   *
   * @param version of the submitted form
   * @throws ChannelError; StaleForm
   */
  async change(owner: ChannelOwner, id: number, draft: Omit<ChannelDraft, 'type'>, version?: string): Promise<void> {
    requireKinds(draft);
    await this.database.transaction(async () => {
      await this.database.lockRow('NoticeChannel', 'id', id);
      const present = await this.find(owner, id);
      if (!present) throw new ChannelError('MISSING');
      checkVersion(version, this.form(present));
      const kind = this.kindOf(present);
      if (!kind && Object.keys(draft.settings).length > 0) throw this.offProblem(present);
      const old = kind ? this.settingsOf(present, kind) : {};
      const settings = kind ? checkedSettings(kind, draft.settings, old) : {};
      await this.rows.update({ id, ...owner }, { ...valuesOf(draft), ...(kind ? { settings: this.sealed(settings) } : {}) });
      this.database.noteChange(channelSubject(id, kind), { ...present, ...old }, { ...valuesOf(draft), ...settings });
    });
  }

  /** @throws ChannelError `MISSING` */
  async remove({ side, accountId }: ChannelOwner, id: number): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('NoticeChannel', 'id', id);
      const present = await this.find({ side, accountId }, id);
      if (!present) throw new ChannelError('MISSING');
      await this.rows.delete({ id });
      this.database.noteChange({ of: 'channel', id, only: ['name', 'type', 'plugin', 'kinds'] }, present, null);
    });
  }

  /** Sends a message. @throws ChannelError with the response, or the reason why it cannot be sent */
  async send(channel: NoticeChannel, message: NoticeMessage, { locale, isTest = false, signal }: SendOptions): Promise<void> {
    const kind = this.kindOf(channel);
    if (!kind) throw this.offProblem(channel);
    const settings = this.settingsOf(channel, kind);
    const lacking = lackingFields(kind, settings);
    if (lacking.length > 0) throw lackProblem(channel.name, lacking, locale);
    const { name } = channel;
    const turn = { name, settings, message, isTest, locale, http: this.http, now: this.clock.now() };
    await kind.send({ ...turn, signal: signal ?? new AbortController().signal });
  }

  private offProblem({ name, plugin }: NoticeChannel): ChannelError {
    return new ChannelError('PLUGIN_OFF', { name, plugin });
  }

  private sealed(settings: ChannelSettings): string {
    return this.secrets.seal(JSON.stringify(settings), PLACE);
  }

  private settingsOf({ settings }: NoticeChannel, { fields }: NotificationChannel): ChannelSettings {
    const text = this.secrets.open(settings, PLACE);
    const given = new Map(Object.entries(text === null ? {} : (JSON.parse(text) as ChannelSettings)));
    return Object.fromEntries(fields.map(({ key, standard }) => [key, given.get(key) || standard]));
  }
}

/** The kind's password fields are the secrets, whatever their names. */
function channelSubject(id: number, kind: NotificationChannel | undefined): ChangedSubject {
  return { of: 'channel', id, secret: kind?.fields.filter(({ type }) => type === 'password').map(({ key }) => key) };
}

function lackProblem(name: string, lacking: readonly ChannelField[], locale: Locale): ChannelError {
  return new ChannelError('FIELDS_LACK', {
    name,
    fields: lacking.map(({ label }) => label(locale)).join(translate(locale, 'common.list_comma')),
  });
}

function requireKinds({ kinds }: Pick<ChannelDraft, 'kinds'>): void {
  if (kinds.length === 0) throw new ChannelError('KINDS', {}, { sj: 'notify.channel_kinds' });
}

function valuesOf({ name, kinds, enabled }: Omit<ChannelDraft, 'type'>) {
  return { name, kinds: [...kinds], enabled };
}

/** Validates the fields of a kind; omitted secrets keep their values. @throws ChannelError naming the missing or invalid fields */
function checkedSettings({ fields }: NotificationChannel, given: ChannelSettings, present: ChannelSettings): ChannelSettings {
  const wrong: Record<string, string> = {};
  const values = new Map(Object.entries(given));
  const unknown = [...values.keys()].find((name) => !fields.some(({ key }) => key === name));
  if (unknown !== undefined) wrong[`cs[${unknown}]`] = 'notify.channel_field_unknown';
  const leadsElsewhere = fields.some((field) => field.isTarget && isOther(field, values.get(field.key), present[field.key]));
  const checked = fields.map((field) => {
    const { key, type } = field;
    const own = (values.get(key) ?? '').trim();
    const value = own || (type === 'password' ? (present[key] ?? '') : whereEmpty(field));
    // Prevents revealing a stored secret by pointing the channel at another server.
    const isElsewhere = type === 'password' && own === '' && value !== '' && leadsElsewhere;
    const problem = isElsewhere ? 'notify.channel_field_again' : valueProblem(field, value);
    if (problem !== null) wrong[`cs[${key}]`] = problem;
    return [key, value] as const;
  });
  if (Object.keys(wrong).length > 0) throw new ChannelError('FIELDS', {}, wrong);
  return Object.fromEntries(checked);
}

/** Returns the default of a field that cannot be empty. */
function whereEmpty({ type, standard }: ChannelField): string {
  return type === 'switch' ? standard || 'false' : type === 'select' ? standard : '';
}

/** Whether the given value of a field differs from the present one. */
function isOther(field: ChannelField, given = '', present = ''): boolean {
  const own = given.trim();
  if (field.type === 'password') return own !== '' && own !== present;
  const used = (text: string): string => text || whereEmpty(field) || field.standard;
  return used(own) !== used(present);
}

/** Returns the text key of a value's problem; null for none. */
function valueProblem(field: ChannelField, value: string): string | null {
  const { type, required, standard, isAddress } = field;
  if (value === '') return required && standard === '' ? 'notify.channel_field_needed' : null;
  if (value.length > MAX_VALUE) return 'notify.channel_field_rule';
  if (/\p{Cc}/u.test(type === 'textarea' ? value.replace(/[\r\n\t]/g, '') : value)) return 'notify.channel_field_rule';
  if (isAddress && !(/^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value))) return 'notify.channel_url_rule';
  return fieldProblem({ type, options: [...field.options] }, value);
}
