import type { SiteSettings } from '../../site/index.js';

/** Directories offered by name. Source: letsencrypt.org/docs/staging-environment */
export const DIRECTORIES = {
  production: 'https://acme-v02.api.letsencrypt.org/directory',
  staging: 'https://acme-staging-v02.api.letsencrypt.org/directory',
} as const;

/** The certificate authority and how it is used. */
export interface AcmeSettings {
  readonly directory: string;
  /** Contact address for the authority; empty for none. */
  readonly mail: string;
  /** Whether certificates are ordered: enabled, and the terms of this directory accepted. */
  readonly isOn: boolean;
  /** Null if none is configured. */
  readonly binding: AccountBinding | null;
}

/** An existing account at an authority (external account binding). */
export interface AccountBinding {
  /** Directory of its authority. */
  readonly directory: string;
  readonly id: string;
  /** Its sealed HMAC key, see {@link BINDING_KEY_PLACE}. */
  readonly sealedKey: string;
}

/** Purpose for which HMAC keys of ACME accounts are sealed. */
export const BINDING_KEY_PLACE = 'acme.binding';

/** Extracts the settings of this feature. */
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

/** Values of the form `zssz`, by field name. Source: docs/panel-api.md "Certificates". */
export const acmeForm = ({ acmeOn, acmeDirectory, acmeMail, acmeAgreed, acmeBindingId, acmeBindingKey }: SiteSettings['current']) => ({
  kg: acmeOn,
  ml: acmeDirectory,
  yx: acmeMail,
  ty: acmeAgreed === acmeDirectory,
  zhid: acmeBindingId,
  zhmy: { secret: acmeBindingKey ?? '' },
});
