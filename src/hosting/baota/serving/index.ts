import { BaotaCertificates } from './baota-certificates.js';
import { BaotaDomains } from './baota-domains.js';
import { BaotaSettings } from './baota-settings.js';

export { BaotaCertificates, BaotaDomains, BaotaSettings };

/** What says how sites on servers that run BaoTa are served. */
export const BAOTA_SERVING_PROVIDERS = [BaotaDomains, BaotaCertificates, BaotaSettings];
