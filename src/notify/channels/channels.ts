import { Injectable } from '@nestjs/common';

import { Clock, OutboundHttp } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { Scope } from '../../sdk/index.js';
import { NoticeChannel } from '../entities/index.js';
import type { NoticeKind } from '../notice.js';

import { ChannelError } from './channel-error.js';
import { NOTIFICATION_CHANNELS } from './drivers/index.js';
import type { ChannelMessage, ChannelSettings, NotificationChannel } from './notification-channel.js';

/** Whose channels: those of administrators belong to all of them. */
export interface ChannelOwner {
  readonly side: Scope;
  /** 0 on the admin side. */
  readonly accountId: number;
}

/** A channel as somebody wants it. */
export interface ChannelDraft {
  readonly type: string;
  readonly name: string;
  /** A secret that is empty stays what it is. */
  readonly settings: ChannelSettings;
  readonly kinds: readonly NoticeKind[];
  readonly enabled: boolean;
}

const PLACE = 'notify.channel';
const MAX = { admin: 20, user: 5 } as const;
const MAX_VALUE = 1_000;
/** Milliseconds for a whole call. */
const PATIENCE_MS = 15_000;
/** Contract of the outbound client (docs/outbound-http.md). */
const INTERNAL = '禁止访问内网地址';

/** The driver of a type. @throws ChannelError `TYPE_UNKNOWN` */
export function driverOf(type: string): NotificationChannel {
  const driver = NOTIFICATION_CHANNELS.find((candidate) => candidate.type === type);
  if (!driver) throw new ChannelError('TYPE_UNKNOWN', { type });
  return driver;
}

/** Channels: kept with their secrets sealed, and used. */
@Injectable()
export class Channels {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly http: OutboundHttp,
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

  /** What may be shown of its fields: no secrets. */
  shown(channel: NoticeChannel): ChannelSettings {
    const settings = this.settingsOf(channel);
    const { fields } = driverOf(channel.type);
    return Object.fromEntries(fields.filter(({ secret }) => !secret).map(({ name }) => [name, settings[name] ?? '']));
  }

  /** @returns its id @throws ChannelError */
  async add(owner: ChannelOwner, draft: ChannelDraft): Promise<number> {
    const settings = checkedSettings(draft, {});
    // Held until the end: two at once do not make one too many.
    return this.database.transaction(async () => {
      if ((await this.rows.countBy({ ...owner })) >= MAX[owner.side]) throw new ChannelError('TOO_MANY', { n: MAX[owner.side] });
      const { identifiers } = await this.rows.insert({ ...owner, ...this.valuesOf(draft, settings), createdAt: this.clock.now() });
      return Number(identifiers[0]!.id);
    });
  }

  /** Its type stays. @throws ChannelError */
  async change(owner: ChannelOwner, id: number, draft: Omit<ChannelDraft, 'type'>): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('NoticeChannel', 'id', id);
      const present = await this.find(owner, id);
      if (!present) throw new ChannelError('MISSING');
      const whole = { ...draft, type: present.type };
      await this.rows.update({ id, ...owner }, this.valuesOf(whole, checkedSettings(whole, this.settingsOf(present))));
    });
  }

  /** @throws ChannelError `MISSING` */
  async remove({ side, accountId }: ChannelOwner, id: number): Promise<void> {
    if ((await this.rows.delete({ id, side, accountId })).affected !== 1) throw new ChannelError('MISSING');
  }

  /** Sends a message. @throws ChannelError saying in words what was answered */
  async send(channel: NoticeChannel, message: ChannelMessage): Promise<void> {
    const driver = driverOf(channel.type);
    const request = driver.request(this.settingsOf(channel), message, this.clock.now());
    const answer = await this.http.request({ ...request, timeoutMs: PATIENCE_MS, maxBytes: 64 * 1024, maxRedirects: 0 });
    if (answer.code === 0) throw new ChannelError(answer.error === INTERNAL ? 'INTERNAL_ADDRESS' : 'UNREACHABLE', { name: channel.name });
    const reply = driver.problem(answer);
    if (reply !== null) throw new ChannelError('REFUSED', { name: channel.name, reply: reply.replace(/\s+/g, ' ').slice(0, 300) });
  }

  private valuesOf({ type, name, kinds, enabled }: ChannelDraft, settings: ChannelSettings) {
    return { type, name, kinds: [...kinds], enabled, settings: this.secrets.seal(JSON.stringify(settings), PLACE) };
  }

  private settingsOf({ settings, type }: NoticeChannel): ChannelSettings {
    const text = this.secrets.open(settings, PLACE);
    const given = text === null ? {} : (JSON.parse(text) as ChannelSettings);
    return Object.fromEntries(driverOf(type).fields.map(({ name, standard }) => [name, given[name] || standard || '']));
  }
}

/** The fields of the driver, secrets that were not given from what there was. @throws ChannelError naming what is missing or wrong */
function checkedSettings({ type, settings, kinds }: ChannelDraft, present: ChannelSettings): ChannelSettings {
  const { fields } = driverOf(type);
  const wrong: Record<string, string> = {};
  const unknown = Object.keys(settings).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) wrong[`cs[${unknown}]`] = 'notify.channel_field_unknown';
  const checked = fields.map(({ name, secret, required }) => {
    const value = (settings[name] ?? '').trim() || (secret ? (present[name] ?? '') : '');
    if (required && value === '') wrong[`cs[${name}]`] = 'notify.channel_field_needed';
    else if (value.length > MAX_VALUE || /\p{Cc}/u.test(value)) wrong[`cs[${name}]`] = 'notify.channel_field_rule';
    else if ((name === 'url' || name === 'server') && value !== '' && !/^https?:\/\/[^\s/]/.test(value))
      wrong[`cs[${name}]`] = 'notify.channel_url_rule';
    else if ((name === 'url' || name === 'server') && value !== '' && !URL.canParse(value))
      wrong[`cs[${name}]`] = 'notify.channel_url_rule';
    return [name, value] as const;
  });
  if (Object.keys(wrong).length > 0) throw new ChannelError('FIELDS', {}, wrong);
  if (kinds.length === 0) throw new ChannelError('KINDS', {}, { sj: 'notify.channel_kinds' });
  return Object.fromEntries(checked);
}
