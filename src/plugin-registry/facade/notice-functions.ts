import { Injectable } from '@nestjs/common';

import { Faults, PluginCalls, type RegistrationScope } from '../../common/index.js';
import { ChannelKinds, pluginChannel } from '../../notify/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import { RegistrationNotices } from './registration-notices.js';

/** The functions of the facade about notices. */
export type NoticeFunctions = Pick<SvcFacade, 'svc_register_notice_channel'>;

/** Binds the kinds of notice channels to one plugin. */
@Injectable()
export class NoticeFunctionsFactory {
  constructor(
    private readonly kinds: ChannelKinds,
    private readonly calls: PluginCalls,
    private readonly faults: Faults,
    private readonly noticed: RegistrationNotices,
  ) {}

  functionsFor(slug: string, registrations: RegistrationScope): NoticeFunctions {
    return {
      svc_register_notice_channel: (kind, record) => {
        const gone = new AbortController();
        const channel = pluginChannel({
          slug,
          kind,
          record,
          guard: (place, callback) => this.calls.guard(slug, place, { kind: 'channel' }, callback),
          // What it threw is in the log of deliveries; the plugin list names it.
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
}
