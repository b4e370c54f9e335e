import type { SiteSettings } from '../../site/index.js';

/** Directories offered by name. Source: letsencrypt.org/docs/staging-environment */
export const DIRECTORIES = {
  production: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
} as const;

/** From whom certificates are ordered. */
export interface AcmeSettings {
  readonly directory: string;
  /** Where the authority writes to; empty: nowhere. */
  readonly mail: string;
  /** Whether certificates are ordered: it is switched on, and the terms of this very directory were agreed to. */
  readonly isOn: boolean;
  /** Null where none is set. */
  readonly binding: AccountBinding | null;
}

/** An account at an authority that was made elsewhere. */
export interface AccountBinding {
  /** Of the authority it is for. */
  readonly directory: string;
  readonly id: string;
  /** Its HMAC key, see {@link BINDING_KEY_PLACE}. */
  readonly sealedKey: string;
}

/** Purpose that HMAC keys of ACME accounts are sealed for. */
export const BINDING_KEY_PLACE = 'acme.binding';

/** The settings as this feature reads them. */
export const acmeSettings = ({
  acmeOn,
  acmeDirectory,
  acmeMail,
  acmeAgreed,
  acmeBindingId: id,
  acmeBindingKey: sealedKey,
}: SiteSettings['current']): AcmeSettings => ({
  directory: acmeDirectory,
  mail: acmeMail,
  isOn: acmeOn && acmeAgreed === acmeDirectory,
  binding: id !== '' && sealedKey ? { directory: acmeDirectory, id, sealedKey } : null,
});

/** What `zssz` sets, by the names of its fields, as the settings page shows it. Source: docs/panel-api.md "Certificates". */
export const acmeForm = ({ acmeOn, acmeDirectory, acmeMail, acmeAgreed, acmeBindingId, acmeBindingKey }: SiteSettings['current']) => ({
  kg: acmeOn,
  ml: acmeDirectory,
  yx: acmeMail,
  ty: acmeAgreed === acmeDirectory,
  zhid: acmeBindingId,
  zhmy: { secret: acmeBindingKey ?? '' },
});
