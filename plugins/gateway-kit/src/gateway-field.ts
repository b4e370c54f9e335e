import type { Word } from './words.js';

/** A setting of a gateway. Its label is the plugin's text `field_<key>`, its optional hint `field_<key>_hint`. */
export interface GatewayField {
  readonly key: string;
  /** `secret` and `secret_lines` are stored encrypted and never shown again. */
  readonly kind: 'text' | 'lines' | 'secret' | 'secret_lines' | 'choice';
  /** Maximum length, in characters. */
  readonly most: number;
  /** Values of a choice, the first being the default; labels are the texts `<key>_<value>`. */
  readonly choices?: readonly string[];
  readonly placeholder?: string;
  /** Whether it is required, depending on the other values. */
  readonly needed?: (values: Settings) => boolean;
  /** Validates a non-empty value. */
  readonly problem?: (value: string) => Word | null;
  /** Determines where secrets are sent: when it changes, they must be entered again. */
  readonly isAddress?: boolean;
  /** A secret that is sent to that address, as opposed to one only used for signing. */
  readonly isSent?: boolean;
}

/** Settings by key, empty if not set. */
export type Settings = Readonly<Record<string, string>>;

/** Configuration of a gateway's settings page. */
export interface SettingsParts {
  /** Position of its tab. */
  readonly order: number;
  readonly fields: readonly GatewayField[];
  /** False: no external provider, so there is no notification URL and no connection test. */
  readonly provider?: false;
}
