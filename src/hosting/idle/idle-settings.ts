import type { SiteSettings } from '../../site/index.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction } from '../entities/index.js';

/** Settings for hosts that show one sign of being idle. */
export interface SignSettings {
  /** Whether the action is taken on them. */
  readonly acts: boolean;
  /** Whether their owners are reminded daily. */
  readonly reminds: boolean;
  /** Days after which they count as unused. */
  readonly days: number;
}

/** Settings for unused hosts. */
export interface IdleSettings {
  readonly domain: SignSettings;
  readonly files: SignSettings;
  readonly action: IdleAction;
  /** Whether a mail server is configured: no action is taken on a host whose owner cannot be reached by mail. */
  readonly mail: boolean;
}

/** All signs. */
export const IDLE_SIGNS: readonly IdleSign[] = ['domain', 'files'];

/** Reads the idle settings from the site's settings. */
export function idleSettings(site: SiteSettings['current']): IdleSettings {
  return {
    domain: { acts: site.idleDomainActs, reminds: site.idleDomainReminds, days: site.idleDomainDays },
    files: { acts: site.idleFilesActs, reminds: site.idleFilesReminds, days: site.idleFilesDays },
    action: site.idleDeed === 'del' ? 'del' : 'stop',
    mail: site.mailHost !== '',
  };
}

/** Returns whether a sign is enabled. */
export const isOn = ({ acts, reminds }: SignSettings): boolean => acts || reminds;

/** Returns whether any sign is enabled. */
export const isAnyOn = (settings: IdleSettings): boolean => IDLE_SIGNS.some((sign) => isOn(settings[sign]));

/** Returns the current values of the `jkscsz` fields, as the settings page shows them. Source: docs/panel-api.md "Hosts nobody uses". */
export const idleForm = (site: SiteSettings['current']) => ({
  ymkg: site.idleDomainActs,
  ymyjkg: site.idleDomainReminds,
  ymtsyz: site.idleDomainDays,
  wjkg: site.idleFilesActs,
  wjyjkg: site.idleFilesReminds,
  wjtsyz: site.idleFilesDays,
  option: site.idleDeed,
});
