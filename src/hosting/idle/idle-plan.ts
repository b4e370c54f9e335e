import { PAUSE_REASON } from '../accounts/index.js';
import { dayAfter, isExpired, isHeld } from '../calendar.js';
import type { IdleSign } from '../driver/index.js';
import type { HostingAccount, IdleAction } from '../entities/index.js';

import { type IdleSettings, isAnyOn, isOn } from './idle-settings.js';

/** The properties of a host that decide whether it counts as idle. */
export type IdleCandidate = Pick<HostingAccount, 'state' | 'pauseReasons' | 'expiresOn' | 'holdUntil' | 'openedBy' | 'email'> & {
  /** Whether an order of it was ever paid. */
  readonly hasPaid: boolean;
  /**
   * Days in the time zone of the installation: when it was opened, when its owner confirmed that it is needed, and when an idle action was
   * last taken.
   */
  readonly openedOn: string;
  readonly keptOn: string | null;
  readonly doneOn: string | null;
};

/** Why no action is planned for an unused host. */
export type IdleRest = 'off' | 'busy' | 'held' | 'stopped' | 'no_mail' | 'no_mail_server';

/** Plan for an unused host: an action and its first day, or the reason for none. */
export type IdlePlan = { readonly action: IdleAction; readonly dueOn: string } | { readonly action: null; readonly why: IdleRest };

/**
 * Returns the day from which a host counts as unused: the latest of its opening, its owner's confirmation, the last action, and its expiry.
 */
export function idleSince(host: IdleCandidate, today: string): string {
  const ended = isExpired(host.expiresOn, today) ? host.expiresOn : null;
  return [host.openedOn, host.keptOn, host.doneOn, ended].reduce<string>((last, day) => (day && day > last ? day : last), host.openedOn);
}

/**
 * Returns whether someone may be paying for a host, as far as the panel can tell: it has not expired; or it never expires, and a shop or
 * plugin opened it or an order of it was paid. So only an expired host, or an administrator's host without expiry, counts as unpaid.
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

/** Returns whether a host is subject to the check. A host paused for another reason, such as by a scan or a shop, is left alone. */
export function isLookedAt({ state, pauseReasons }: Pick<IdleCandidate, 'state' | 'pauseReasons'>): boolean {
  const own: readonly string[] = [PAUSE_REASON.idle, PAUSE_REASON.expiry];
  return state === 'active' || (state === 'paused' && pauseReasons.every((reason) => own.includes(reason)));
}

/**
 * Returns the relevant one of the signs a host shows: the one whose action comes soonest. If any sign is enabled, disabled ones are
 * ignored: a host with files but without a domain counts as used if domains are not checked.
 */
export function signOf(shown: readonly IdleSign[], settings: IdleSettings): IdleSign | null {
  const counted = isAnyOn(settings) ? shown.filter((sign) => isOn(settings[sign])) : shown;
  const rank = (sign: IdleSign): number => {
    const { acts, reminds, days } = settings[sign];
    // On a tie, missing files outweigh a missing domain.
    return (acts ? 0 : reminds ? 1 : 2) * 1e6 + days + (sign === 'files' ? 0 : 0.5);
  };
  return [...counted].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
