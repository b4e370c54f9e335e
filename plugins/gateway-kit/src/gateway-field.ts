import type { Word } from './words.js';

/** A setting of a gateway. Its label is the text `field_<key>` of the plugin, its hint `field_<key>_hint` where there is one. */
export interface GatewayField {
  readonly key: string;
  /** `secret` and `secret_lines` are sealed where they are kept, and never shown again. */
  readonly kind: 'text' | 'lines' | 'secret' | 'secret_lines' | 'choice';
  /** Most characters. */
  readonly most: number;
  /** Values of a choice, the first one where nothing is kept; the label of one is the text `<key>_<value>`. */
  readonly choices?: readonly string[];
  readonly placeholder?: string;
  /** Whether it may not stay empty, with what else was given. */
  readonly needed?: (values: Settings) => boolean;
  /** What is wrong with a value that is not empty. */
  readonly problem?: (value: string) => Word | null;
  /** It says where secrets are sent: with another value those are entered again. */
  readonly isAddress?: boolean;
  /** A secret that is sent there itself, and does not only sign. */
  readonly isSent?: boolean;
}

/** Settings by key, empty where nothing is kept. */
export type Settings = Readonly<Record<string, string>>;

/** What a gateway is set up by. */
export interface SettingsParts {
  /** Place of its tab. */
  readonly order: number;
  readonly fields: readonly GatewayField[];
  /** False: there is nobody outside to notify the panel, or to be asked whether the settings are right. */
  readonly provider?: false;
}
