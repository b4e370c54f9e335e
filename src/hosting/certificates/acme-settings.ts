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
}

/** The settings as this feature reads them. */
export const acmeSettings = ({ acmeOn, acmeDirectory, acmeMail, acmeAgreed }: SiteSettings['current']): AcmeSettings => ({
  directory: acmeDirectory,
  mail: acmeMail,
  isOn: acmeOn && acmeAgreed === acmeDirectory,
});

/** What `zssz` sets, by the names of its fields, as the settings page shows it. Source: docs/panel-api.md "Certificates". */
export const acmeForm = ({ acmeOn, acmeDirectory, acmeMail, acmeAgreed }: SiteSettings['current']) => ({
  kg: acmeOn,
  ml: acmeDirectory,
  yx: acmeMail,
  ty: acmeAgreed === acmeDirectory,
});
