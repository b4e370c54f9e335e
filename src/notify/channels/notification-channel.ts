import type { Locale, OutboundHttp } from '../../common/index.js';
import type { NoticeMessage } from '../../sdk/index.js';
import type { DeclaredField } from '../../web/index.js';

/** Something a channel has to be told once. */
export interface ChannelField extends DeclaredField {
  /** It is the address of an HTTP service. */
  readonly isAddress: boolean;
  /** With another value messages may go to somebody else: who changes it shows that he knows the secrets. */
  readonly isTarget: boolean;
}

/** Values of the fields of a channel. */
export type ChannelSettings = Readonly<Record<string, string>>;

/** One message on its way through one channel. */
export interface ChannelTurn {
  /** What its owner calls the channel. */
  readonly name: string;
  readonly settings: ChannelSettings;
  readonly message: NoticeMessage;
  /** Somebody looks whether the channel works. */
  readonly isTest: boolean;
  /** Language of whoever gets the message. */
  readonly locale: Locale;
  readonly http: OutboundHttp;
  /** Time of signatures. */
  readonly now: Date;
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A kind of channel: a way to tell people outside of the panel. The panel has some, plugins bring others. */
export interface NotificationChannel {
  /** Its name on the wire: `telegram`, or `{plugin}:{kind}`. */
  readonly type: string;
  /** Slug of the plugin that brings it; empty for the panel's own. */
  readonly plugin: string;
  /** Its name without the plugin's. */
  readonly kind: string;
  readonly fields: readonly ChannelField[];
  title(locale: Locale): string;
  /** What a person does to have one. */
  help(locale: Locale): string;
  /** Resolves once the message was taken. @throws ChannelError saying in words what was answered */
  send(turn: ChannelTurn): Promise<void>;
}

/** The type of a kind a plugin brings; none of the panel's own has a colon. */
export const pluginType = (slug: string, kind: string): string => `${slug}:${kind}`;
