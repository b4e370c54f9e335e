import { BaotaCertificates } from './baota-certificates.js';
import { BaotaDomains } from './baota-domains.js';
import { BaotaRewrites } from './baota-rewrites.js';
import { BaotaSettings } from './baota-settings.js';
import { RulesFile } from './rules-file.js';

export { BaotaCertificates, BaotaDomains, BaotaRewrites, BaotaSettings };

/** Providers of domains, certificates and settings on servers running BaoTa. */
export const BAOTA_SERVING_PROVIDERS = [RulesFile, BaotaDomains, BaotaCertificates, BaotaSettings, BaotaRewrites];
