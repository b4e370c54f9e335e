import type { FormValues } from '../../http/index.js';
import type { SiteSettings } from '../../site/index.js';

const MEGABYTE = 1024 * 1024;

/** Fields of `savescancfg` with their values, for the settings page. */
export const scanForm = (settings: SiteSettings['current']) =>
  ({
    skg: settings.scanEnabled,
    snr: settings.scanKeywords ?? '',
    sgbfx: settings.scanChangedOnly,
    sml: settings.scanRoot,
    stqml: settings.scanSkippedFolders,
    stqhz: settings.scanSkippedSuffixes,
    sdzmax: Math.round(settings.scanMaxFileBytes / MEGABYTE),
    sdhmax: settings.scanMaxMatches,
    sqzcskg: settings.fullScanEnabled,
    sqzcs: settings.fullScanCron,
    stz: settings.scanNoticeFrom,
    szt: settings.scanPauseFrom,
    sgl: settings.scanQuarantine,
    sglts: settings.quarantineDays,
  }) satisfies FormValues;
