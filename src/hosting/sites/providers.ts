import { FolderPasswords } from './folder-passwords.js';
import { HandshakeCertificates } from './handshake-certificates.js';
import { SiteCertificates } from './site-certificates.js';
import { SiteLookup } from './site-lookup.js';
import { SiteProofs } from './site-proofs.js';
import { SiteResponder } from './site-responder.js';
import { SiteRules } from './site-rules.js';
import { SiteVisits } from './site-visits.js';
import { SitesServer } from './sites-server.js';

/** Providers of the web server for sites in this process. */
export const SITE_PROVIDERS = [
  SiteLookup,
  SiteRules,
  SiteCertificates,
  SiteProofs,
  SiteResponder,
  FolderPasswords,
  HandshakeCertificates,
  SiteVisits,
  SitesServer,
];
