import type { SiteSettings } from '../../site/index.js';
import type { IdleSign } from '../driver/index.js';
import type { IdleAction } from '../entities/index.js';

/** Settings for hosts that show one sign of being idle. */
export interface SignSettings {
  /** Whether something happens to them. */
  readonly acts: boolean;
  /** Whether their owners are reminded each day. */
  readonly reminds: boolean;
  /** Days after which they count as unused. */
  readonly days: number;
}

/** Settings for hosts nobody uses. */
export interface IdleSettings {
  readonly domain: SignSettings;
  readonly files: SignSettings;
  readonly action: IdleAction;
  /** Whether there is a mail server: nothing happens to a host whose owner no mail can reach. */
  readonly mail: boolean;
}

/** Every sign there is. */
export const IDLE_SIGNS: readonly IdleSign[] = ['domain', 'files'];

/** The settings as this feature reads them. */
export function idleSettings(site: SiteSettings['current']): IdleSettings {
  return {
    domain: { acts: site.idleDomainActs, reminds: site.idleDomainReminds, days: site.idleDomainDays },
    files: { acts: site.idleFilesActs, reminds: site.idleFilesReminds, days: site.idleFilesDays },
    action: site.idleDeed === 'del' ? 'del' : 'stop',
    mail: site.mailHost !== '',
  };
}

/** Tells whether anything is done about a sign. */
export const isOn = ({ acts, reminds }: SignSettings): boolean => acts || reminds;

/** Tells whether anything is done about any sign. */
export const isAnyOn = (settings: IdleSettings): boolean => IDLE_SIGNS.some((sign) => isOn(settings[sign]));

/** What `jkscsz` sets, by the names of its fields, as the settings page shows it. Source: docs/panel-api.md "Hosts nobody uses". */
export const idleForm = (site: SiteSettings['current']) => ({
  ymkg: site.idleDomainActs,
  ymyjkg: site.idleDomainReminds,
  ymtsyz: site.idleDomainDays,
  wjkg: site.idleFilesActs,
  wjyjkg: site.idleFilesReminds,
  wjtsyz: site.idleFilesDays,
  option: site.idleDeed,
});
