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

/** Whose channels: those of administrators belong to all of them. */
export interface ChannelOwner {
  readonly side: Scope;
  /** 0 on the admin side. */
  readonly accountId: number;
}

/** A channel as somebody wants it. */
export interface ChannelDraft {
  /** As of {@link NotificationChannel}. */
  readonly type: string;
  readonly name: string;
  /** A secret that is empty stays what it is. */
  readonly settings: ChannelSettings;
  readonly kinds: readonly NoticeKind[];
  readonly enabled: boolean;
}

/** How a message is sent. */
export interface SendOptions {
  /** Language of whoever gets it. */
  readonly locale: Locale;
  readonly isTest?: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal;
}

const PLACE = 'notify.channel';
const MAX = { admin: 20, user: 5 } as const;
const MAX_VALUE = 1_000;

/** The type of a channel, as of {@link NotificationChannel}. */
export function typeOf({ plugin, type }: Pick<NoticeChannel, 'plugin' | 'type'>): string {
  return plugin === '' ? type : pluginType(plugin, type);
}

/** Channels: kept with their secrets sealed, and used. */
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

  /** Somebody's, oldest first; a few at most. */
  list({ side, accountId }: ChannelOwner): Promise<NoticeChannel[]> {
    return this.rows.find({ where: { side, accountId }, order: { id: 'ASC' }, take: MAX.admin });
  }

  /** One of somebody's; null where there is none of this id. */
  find({ side, accountId }: ChannelOwner, id: number): Promise<NoticeChannel | null> {
    return this.rows.findOneBy({ id, side, accountId });
  }

  /** The kind of a channel; undefined while the plugin that brings it is off. */
  kindOf(channel: NoticeChannel): NotificationChannel | undefined {
    return this.kinds.find(typeOf(channel));
  }

  /** What may be shown of its fields: no secrets, and nothing while its plugin is off. */
  shown(channel: NoticeChannel): ChannelSettings {
    const kind = this.kindOf(channel);
    if (!kind) return {};
    const settings = this.settingsOf(channel, kind);
    return Object.fromEntries(kind.fields.filter(({ type }) => type !== 'password').map(({ key }) => [key, settings[key] ?? '']));
  }

  /** What the form of a channel shows, by the names of its fields: no secrets. */
  form(channel: NoticeChannel): FormValues {
    const { name, side, kinds, enabled } = channel;
    const own = Object.entries(this.shown(channel)).map(([key, value]) => [`cs[${key}]`, value] as const);
    const told = noticeKindsOf(side).filter((kind) => kinds.includes(kind));
    return { name, ...Object.fromEntries(own), sj: told.join(', '), kg: enabled };
  }

  /** Why nothing can be sent through it, in words; null where something can. */
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
    // Held until the end: two at once do not make one too many.
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
   * Its kind stays; while the plugin that brings it is off, its settings stay too.
   *
   * @param version of what the form showed
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

  /** Sends a message. @throws ChannelError saying in words what was answered, or why it cannot be sent */
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

/** Secrets are what the kind asks for as passwords, whatever they are called. */
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

/** The fields of the kind, secrets that were not given from what there was. @throws ChannelError naming what is missing or wrong */
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
    // Nobody learns a secret he is not shown by naming a server of his own.
    const isElsewhere = type === 'password' && own === '' && value !== '' && leadsElsewhere;
    const problem = isElsewhere ? 'notify.channel_field_again' : valueProblem(field, value);
    if (problem !== null) wrong[`cs[${key}]`] = problem;
    return [key, value] as const;
  });
  if (Object.keys(wrong).length > 0) throw new ChannelError('FIELDS', {}, wrong);
  return Object.fromEntries(checked);
}

/** What cannot be empty is what it is where nothing is said of it. */
function whereEmpty({ type, standard }: ChannelField): string {
  return type === 'switch' ? standard || 'false' : type === 'select' ? standard : '';
}

/** Whether what is given for a field is something else than there was. */
function isOther(field: ChannelField, given = '', present = ''): boolean {
  const own = given.trim();
  if (field.type === 'password') return own !== '' && own !== present;
  const used = (text: string): string => text || whereEmpty(field) || field.standard;
  return used(own) !== used(present);
}

/** What is wrong with a value, as a key of the language files. */
function valueProblem(field: ChannelField, value: string): string | null {
  const { type, required, standard, isAddress } = field;
  if (value === '') return required && standard === '' ? 'notify.channel_field_needed' : null;
  if (value.length > MAX_VALUE) return 'notify.channel_field_rule';
  if (/\p{Cc}/u.test(type === 'textarea' ? value.replace(/[\r\n\t]/g, '') : value)) return 'notify.channel_field_rule';
  if (isAddress && !(/^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value))) return 'notify.channel_url_rule';
  return fieldProblem({ type, options: [...field.options] }, value);
}
