import { PAUSE_REASON } from '../accounts/index.js';
import { dayAfter, isExpired, isHeld } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { HostingAccount, IdleAction } from '../entities/index.js';

import { type IdleSettings, isAnyOn, isOn } from './idle-settings.js';

/** Days between telling an owner what will happen and doing it, at least. */
export const NOTICE_DAYS = 3;

/** The properties of a host that decide whether it counts as idle. */
export type IdleCandidate = Pick<HostingAccount, 'state' | 'pauseReasons' | 'expiresOn' | 'holdUntil' | 'openedBy' | 'email'> & {
  /** Somebody paid an order of it. */
  readonly hasPaid: boolean;
  /**
   * Days, in the zone of the installation: when it was opened; when its owner said that he needs it, and when
   * something was last done about it.
   */
  readonly openedOn: string;
  readonly keptOn: string | null;
  readonly doneOn: string | null;
};

/** Why nothing is going to happen to a host nobody uses. */
export type IdleRest = 'off' | 'busy' | 'held' | 'stopped' | 'no_mail' | 'no_mail_server';

/** Plan for a host nobody uses: an action and its first day, or the reason for none. */
export type IdlePlan = { readonly action: IdleAction; readonly dueOn: string } | { readonly action: null; readonly why: IdleRest };

/**
 * Since which day a host counts as unused: since it was opened, its owner wanted it, something was done about it or its
 * time was over, whatever was last.
 */
export function idleSince(host: IdleCandidate, today: string): string {
  const ended = isExpired(host.expiresOn, today) ? host.expiresOn : null;
  return [host.openedOn, host.keptOn, host.doneOn, ended].reduce<string>((last, day) => (day && day > last ? day : last), host.openedOn);
}

/**
 * Whether somebody may be paying for a host, as far as the panel can tell: its time is not over; or it has no end, and a shop or plugin
 * opened it or an order of it was paid. Only an administrator's host without an end, and one whose time is over, are nobody's loss.
 */
export function isPaidFor({ expiresOn, openedBy, hasPaid }: IdleCandidate, today: string): boolean {
  if (expiresOn !== null) return !isExpired(expiresOn, today);
  return openedBy !== 'admin' || hasPaid;
}

/** Plans the action on a host that shows `sign`. Source: docs/panel-api.md "Hosts nobody uses". */
export function planOf(host: IdleCandidate, sign: IdleSign, settings: IdleSettings, today: string): IdlePlan {
  const { acts, days } = settings[sign];
  const none = (why: IdleRest): IdlePlan => ({ action: null, why });
  if (!acts) return none('off');
  if (!isLookedAt(host)) return none('busy');
  if (isHeld(host, today)) return none('held');
  const action = settings.action === 'del' && !isPaidFor(host, today) ? 'del' : 'stop';
  if (action === 'stop' && host.state === 'paused') return none('stopped');
  if (!settings.mail) return none('no_mail_server');
  if (!host.email) return none('no_mail');
  return { action, dueOn: dayAfter(idleSince(host, today), days) };
}

/** A host that stands still for a reason of its own, such as a scan or a shop, is left to whoever set that. */
export function isLookedAt({ state, pauseReasons }: Pick<IdleCandidate, 'state' | 'pauseReasons'>): boolean {
  const own: readonly string[] = [PAUSE_REASON.idle, PAUSE_REASON.expiry];
  return state === 'active' || (state === 'paused' && pauseReasons.every((reason) => own.includes(reason)));
}

/**
 * The sign that counts, of those a host shows: the one something is done about soonest. While something is done about any, the others do
 * not count: a host with files and no domain is used where domains are not looked at.
 */
export function signOf(shown: readonly IdleSign[], settings: IdleSettings): IdleSign | null {
  const counted = isAnyOn(settings) ? shown.filter((sign) => isOn(settings[sign])) : shown;
  const rank = (sign: IdleSign): number => {
    const { acts, reminds, days } = settings[sign];
    // A site without files says more than one without a domain.
    return (acts ? 0 : reminds ? 1 : 2) * 1e6 + days + (sign === 'files' ? 0 : 0.5);
  };
  return [...counted].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
