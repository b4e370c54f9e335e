import type { SiteSettings } from '../../site/index.js';

/** What `hsqsz` sets, by the names of its fields, as the page shows it. */
export const binForm = (site: SiteSettings['current']) => ({ hsts: site.binDays });
