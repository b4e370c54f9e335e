import type { SiteSettings } from '../../site/index.js';

/** What `tjsz` sets, by the names of its fields, as the settings page shows it. */
export const statisticsForm = (site: SiteSettings['current']) => ({
  rzts: site.siteLogDays,
  tjys: site.statisticsMonths,
  rznm: site.logsNetworksOnly,
});
