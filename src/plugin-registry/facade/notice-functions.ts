import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, translateFor, type RegistrationScope } from '../../common/index.js';
import { ChannelKinds, NOTICE_LEVELS, Notices, pluginChannel, type NoticeKind } from '../../notify/index.js';
import type { NoticeRequest, SvcFacade } from '../../sdk/index.js';

import { RegistrationNotices } from './registration-notices.js';

/** Facade functions for notices. */
export type NoticeFunctions = Pick<SvcFacade, 'svc_register_notice_channel' | 'notices'>;

/** Maximum length of a plugin's notice key, in characters; its slug is prepended. */
const MAX_KEY = 80;
const LEVELS: readonly string[] = NOTICE_LEVELS;
const KINDS: readonly string[] = ['payment', 'system'] satisfies NoticeKind[];

/** Binds notices and kinds of notice channels to one plugin. */
@Injectable()
export class NoticeFunctionsFactory {
  constructor(
    private readonly kinds: ChannelKinds,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
    private readonly notifications: Notices,
  ) {}

  functionsFor(slug: string, registrations: RegistrationScope): NoticeFunctions {
    return {
      notices: { tell: (request) => this.send(slug, request) },
      svc_register_notice_channel: (kind, record) => {
        const gone = new AbortController();
        const channel = pluginChannel({
          slug,
          kind,
          record,
          guard: (place, callback) => this.calls.guard(slug, place, { kind: 'channel' }, callback),
          // The error itself is in the delivery log; the plugin list only names the place.
          failed: (place, error) => this.faults.note(slug, place, error),
          gone: gone.signal,
        });
        const undo = this.kinds.add(channel);
        this.noticed.channel(slug, record);
        return registrations.add(() => {
          undo();
          gone.abort();
        });
      },
    };
  }

  private async send(slug: string, request: NoticeRequest): Promise<number> {
    const { to, key, title, text, params = {}, level = 'info', kind = 'system', link } = request;
    checkNotice(slug, request, { level, kind });
    return this.notifications.sendForPlugin({
      to: to === 'administrators' ? to : 'customer' in to ? { customer: to.customer } : { accountId: to.account },
      kind,
      level,
      key: `plugin:${slug}:${key}`,
      link,
      says: (locale) => ({ title: translateFor(slug, locale, title, params), content: translateFor(slug, locale, text, params) }),
    });
  }
}

/** @throws Error describing the problem */
function checkNotice(slug: string, { to, key, title, text }: NoticeRequest, { level, kind }: { level: string; kind: string }): void {
  const refuse = (problem: string): never => {
    throw new Error(`${slug}: the notice ${JSON.stringify(key)} cannot be sent: ${problem}.`);
  };
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY) refuse(`its key must be 1 to ${MAX_KEY} characters`);
  const owner = to as { account?: unknown; customer?: unknown } | null;
  if (to !== 'administrators' && !Number.isSafeInteger(owner?.customer ?? owner?.account))
    refuse('"to" must be "administrators", {account: id} or {customer: id}');
  if (typeof title !== 'string' || title === '' || typeof text !== 'string' || text === '')
    refuse('title and text must be non-empty strings');
  if (!LEVELS.includes(level)) refuse(`its level must be one of ${LEVELS.join(', ')}`);
  if (!KINDS.includes(kind)) refuse(`its kind must be one of ${KINDS.join(', ')}`);
}
