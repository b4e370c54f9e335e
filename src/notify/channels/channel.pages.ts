import { Controller } from '@nestjs/common';

import { translate } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';
import { noticeKindsOf } from '../notice.js';
import { NOTICES_MENU } from '../notices-menu.js';

import { channelOwnerOf } from './channel.operations.js';
import { Channels } from './channels.js';
import { NOTIFICATION_CHANNELS } from './drivers/index.js';

const channelsOf = (side: 'admin' | 'user') =>
  defineList({
    id: 'channels',
    operation: 'listtd',
    empty: 'channels.empty',
    whole: true,
    columns: [
      { field: 'name', title: 'channels.name', kind: 'named', notes: [{ text: (row) => String(row.sj) }] },
      { field: 'lxmc', title: 'channels.type', whole: true },
      {
        field: 'kg',
        title: 'channels.state',
        kind: 'badge',
        badges: { true: ['green', 'channels.on'], false: ['secondary', 'channels.off'] },
      },
    ],
    actions: [
      { label: 'channels.test', tone: 'primary', operation: 'tdcs', then: 'nothing' },
      { label: 'channels.edit', href: (row) => `/${side}/channel?id=${String(row.id)}` },
      { label: 'notices.delete', tone: 'danger', operation: 'tdsc', confirm: 'channels.delete_confirm' },
    ],
  });

/** Ways out of the panel, on both sides. */
@Controller()
export class ChannelPages {
  constructor(private readonly channels: Channels) {}

  @Page({
    side: 'admin',
    path: 'channels',
    title: 'theme.menu.channels',
    menu: { under: NOTICES_MENU, order: 40 },
    lists: [channelsOf('admin')],
  })
  ofAdmin(call: RequestContext): object {
    return { types: typesOf(call) };
  }

  @Page({
    side: 'user',
    path: 'channels',
    title: 'theme.menu.channels',
    menu: { under: NOTICES_MENU, order: 40 },
    lists: [channelsOf('user')],
  })
  ofUser(call: RequestContext): object {
    return { types: typesOf(call) };
  }

  @Page({ side: 'admin', path: 'channel', title: 'theme.menu.channels', needs: ['tdbc'] })
  oneOfAdmin(call: RequestContext): Promise<object> {
    return this.form(call);
  }

  @Page({ side: 'user', path: 'channel', title: 'theme.menu.channels' })
  oneOfUser(call: RequestContext): Promise<object> {
    return this.form(call);
  }

  /** Of one that is there (`?id=`), or of a new one (`?type=`). */
  private async form(call: RequestContext): Promise<object> {
    const present = call.query.id ? await this.channels.find(channelOwnerOf(call), Number(call.query.id) || 0) : null;
    const driver = NOTIFICATION_CHANNELS.find(({ type }) => type === (present?.type ?? call.query.type));
    if (!driver) throw new PageMissing();
    const shown = present ? this.channels.shown(present) : {};
    const { type } = driver;
    return {
      id: present?.id ?? 0,
      type,
      type_title: translate(call.locale, `notify.channel.${type}`),
      help: translate(call.locale, `notify.channel_help.${type}`),
      name: present?.name ?? '',
      enabled: present?.enabled ?? true,
      fields: driver.fields.map(({ name, secret = false, required = false, standard = '' }) => ({
        name,
        secret,
        required: required && !(secret && present),
        label: translate(call.locale, `notify.channel_field.${name}`),
        value: shown[name] ?? '',
        standard: secret && present ? '••••••••' : standard,
      })),
      kinds: noticeKindsOf(channelOwnerOf(call).side).map((kind) => ({ kind, chosen: present ? present.kinds.includes(kind) : true })),
    };
  }
}

function typesOf({ locale }: RequestContext): { type: string; title: string }[] {
  return NOTIFICATION_CHANNELS.map(({ type }) => ({ type, title: translate(locale, `notify.channel.${type}`) }));
}
