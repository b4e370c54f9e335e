import type { Locale, OutboundHttp } from '../../common/index.js';
import type { NoticeMessage } from '../../sdk/index.js';
import type { DeclaredField } from '../../web/index.js';

/** A configuration field of a channel. */
export interface ChannelField extends DeclaredField {
  /** Whether it is the address of an HTTP service. */
  readonly isAddress: boolean;
  /** Whether its value selects the recipient; changing it requires entering the secrets again. */
  readonly isTarget: boolean;
}

/** Values of a channel's fields. */
export type ChannelSettings = Readonly<Record<string, string>>;

/** A message being sent through a channel. */
export interface ChannelTurn {
  /** Display name of the channel. */
  readonly name: string;
  readonly settings: ChannelSettings;
  readonly message: NoticeMessage;
  /** Whether it is a test message. */
  readonly isTest: boolean;
  /** Language of the recipient. */
  readonly locale: Locale;
  readonly http: OutboundHttp;
  /** Time for signatures. */
  readonly now: Date;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/** A kind of channel for notifying people outside the panel, built in or from a plugin. */
export interface NotificationChannel {
  /** Name on the wire: `telegram`, or `{plugin}:{kind}`. */
  readonly type: string;
  /** Slug of its plugin; empty for built-in kinds. */
  readonly plugin: string;
  /** Name without the plugin's slug. */
  readonly kind: string;
  readonly fields: readonly ChannelField[];
  title(locale: Locale): string;
  /** Explains how to set one up. */
  help(locale: Locale): string;
  /** Resolves once the message was accepted. @throws ChannelError with the response */
  send(turn: ChannelTurn): Promise<void>;
}

/** Returns the type of a plugin's kind; built-in types contain no colon. */
export const pluginType = (slug: string, kind: string): string => `${slug}:${kind}`;
