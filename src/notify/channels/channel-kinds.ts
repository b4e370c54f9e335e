import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

import { HTTP_CHANNELS } from './drivers/index.js';
import { httpChannel } from './http-channel.js';
import type { NotificationChannel } from './notification-channel.js';

/** Registry of the available kinds of channels: the panel's own, then those of enabled plugins. */
@Injectable()
export class ChannelKinds {
  private readonly kinds = new Map<string, NotificationChannel>(HTTP_CHANNELS.map((channel) => [channel.type, httpChannel(channel)]));

  /** @throws Error for a type that is already registered */
  add(kind: NotificationChannel): Undo {
    if (this.kinds.has(kind.type)) throw new Error(`The notice channel "${kind.type}" is already registered.`);
    this.kinds.set(kind.type, kind);
    return () => {
      if (this.kinds.get(kind.type) === kind) this.kinds.delete(kind.type);
    };
  }

  find(type: string): NotificationChannel | undefined {
    return this.kinds.get(type);
  }

  /** Returns the kinds in the order they are offered. */
  all(): NotificationChannel[] {
    return [...this.kinds.values()];
  }
}
