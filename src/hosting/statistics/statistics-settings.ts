import type { SiteSettings } from '../../site/index.js';

/** Returns the current values of the `tjsz` fields, as the settings page shows them. */
export const statisticsForm = (site: SiteSettings['current']) => ({
  rzts: site.siteLogDays,
  tjys: site.statisticsMonths,
  rznm: site.logsNetworksOnly,
});
