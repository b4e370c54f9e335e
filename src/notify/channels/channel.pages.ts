import { Controller } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { versionOf } from '../../http/index.js';
import type { Scope } from '../../sdk/index.js';
import type { RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList, fieldView } from '../../web/index.js';
import { noticeKindsOf } from '../notice.js';
import { NOTICES_MENU } from '../notices-menu.js';

import { channelOwnerOf } from './channel.operations.js';
import { ChannelKinds } from './channel-kinds.js';
import { Channels, typeOf } from './channels.js';
import { kindTitle } from './kind-title.js';

const channelsOf = (side: Scope) =>
  defineList({
    id: 'channels',
    operation: 'listtd',
    empty: 'channels.empty',
    whole: true,
    columns: [
      {
        field: 'name',
        title: 'channels.name',
        kind: 'named',
        notes: [{ text: (row) => String(row.sj) }, { text: (row) => String(row.bz), tone: 'danger' }],
      },
      { field: 'lxmc', title: 'channels.type', whole: true },
      {
        field: 'kg',
        title: 'channels.state',
        kind: 'badge',
        badges: { true: ['green', 'channels.on'], false: ['secondary', 'channels.off'] },
      },
    ],
    actions: [
      { label: 'channels.test', tone: 'primary', when: (row) => row.bz === '', operation: 'tdcs', then: 'nothing' },
      { label: 'channels.edit', href: (row) => `/${side}/channel?id=${String(row.id)}` },
      { label: 'notices.delete', tone: 'danger', operation: 'tdsc', confirm: 'channels.delete_confirm' },
    ],
  });

/** Pages of notification channels, on both sides. */
@Controller()
export class ChannelPages {
  constructor(
    private readonly channels: Channels,
    private readonly kinds: ChannelKinds,
  ) {}

  @Page({
    side: 'admin',
    path: 'channels',
    title: 'notify.menu.channels',
    menu: { under: NOTICES_MENU, order: 40 },
    lists: [channelsOf('admin')],
  })
  ofAdmin(call: RequestContext): object {
    return { types: this.typesFor(call) };
  }

  @Page({
    side: 'user',
    path: 'channels',
    title: 'notify.menu.channels',
    menu: { under: NOTICES_MENU, order: 40 },
    lists: [channelsOf('user')],
  })
  ofUser(call: RequestContext): object {
    return { types: this.typesFor(call) };
  }

  @Page({ side: 'admin', path: 'channel', title: 'notify.menu.channels', needs: ['tdbc'] })
  oneOfAdmin(call: RequestContext): Promise<object> {
    return this.form('admin', call);
  }

  @Page({ side: 'user', path: 'channel', title: 'notify.menu.channels' })
  oneOfUser(call: RequestContext): Promise<object> {
    return this.form('user', call);
  }

  private typesFor({ locale }: RequestContext): { type: string; title: string }[] {
    return this.kinds.all().map(({ type, title }) => ({ type, title: title(locale) }));
  }

  /** Form of an existing channel (`?id=`) or a new one (`?type=`). If its plugin is disabled, the form shows the reason and no fields. */
  private async form(side: Scope, call: RequestContext): Promise<object> {
    const { query, locale } = call;
    const present = query.id ? await this.channels.find(channelOwnerOf(side, call), Number(query.id) || 0) : null;
    const kind = present ? this.channels.kindOf(present) : this.kinds.find(query.type ?? '');
    if (!present && !kind) throw new PageMissing();
    const shown = present ? this.channels.shown(present) : {};
    const problem = present && this.channels.problemOf(present, locale);
    return {
      id: present?.id ?? 0,
      type: present ? typeOf(present) : kind!.type,
      type_title: present ? kindTitle(present, kind, locale) : kind!.title(locale),
      help: kind?.help(locale) ?? '',
      problem: problem ? translate(locale, problem.key, problem.params) : '',
      name: present?.name ?? '',
      enabled: present?.enabled ?? true,
      row_version: present ? versionOf(this.channels.form(present)) : '',
      fields: (kind?.fields ?? []).map((field) =>
        fieldView(field, { prefix: 'channel', value: shown[field.key], isKept: present !== null, locale }),
      ),
      kinds: noticeKindsOf(side).map((name) => ({ kind: name, chosen: present ? present.kinds.includes(name) : true })),
    };
  }
}
