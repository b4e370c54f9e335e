import type { SiteSettings } from '../../site/index.js';

/** Values of the form `hsqsz`, by field name. */
export const binForm = (site: SiteSettings['current']) => ({ hsts: site.binDays });
