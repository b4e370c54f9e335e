import { RequestContext } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type BoundDriver, driverError } from '../accounts/index.js';
import {
  callDriver,
  type DriverAccount,
  type DriverCapability,
  type DriverResult,
  type PortProblem,
  portsOf,
  type SitePortName,
  type SitePorts,
  succeeded,
} from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Call of a driver's port for a site. */
export type PortCall<Port, Value> = (port: Port, account: DriverAccount, deadline: AbortSignal) => Promise<DriverResult<Value>>;

/** Returns how long a page may still wait for a server, in milliseconds; null: the normal timeout of a call applies. */
export type Patience = () => number | null;

/** Minimum wait of each part of a page, in milliseconds, even if earlier parts used up the time. */
const MIN_WAIT_MS = 500;

/** Returns the patience for a page's request; for other calls, the normal timeout applies. */
export function patienceOf(call: CallContext | undefined): Patience {
  return () => {
    const left = call ? RequestContext.leftToShow(call) : null;
    return left === null ? null : Math.max(left, MIN_WAIT_MS);
  };
}

/** A site that the caller may use, with access to its server. */
export class OpenSite {
  constructor(
    /** State at the time it was opened. */
    readonly account: HostingAccount,
    private readonly bound: BoundDriver,
    private readonly patience: Patience = () => null,
  ) {}

  /** Returns whether the site's server supports a port. */
  has(port: SitePortName): boolean {
    return this.bound.driver[port] !== undefined;
  }

  /** Whether this machine serves the site. */
  get isHere(): boolean {
    return this.bound.driver.type === 'embedded';
  }

  /** Ports its server supports. */
  get ports(): ReadonlySet<SitePortName> {
    return new Set(portsOf(this.bound.driver));
  }

  /** Capabilities of its server. */
  get capabilities(): ReadonlySet<DriverCapability> {
    return this.bound.driver.capabilities;
  }

  /** Returns whether data in the driver's own format can be transferred to another site's server. */
  handsOverTo(other: OpenSite): boolean {
    const { driver } = this.bound;
    return driver === other.bound.driver && driver.credentials !== undefined;
  }

  /**
   * Reads the site's passwords in the driver's own format, to be set again here or on another server with the same driver. Secret.
   *
   * @returns null if its server does not support it, such as an older agent
   * @throws HostingError errors of the server
   */
  async takeCredentials(): Promise<string | null> {
    const { credentials } = this.bound.driver;
    const taken = credentials ? await callDriver((deadline) => credentials.take(this.bound.account, deadline)) : null;
    if (taken === null || taken.outcome === 'refused') return null;
    if (!succeeded(taken)) throw driverError(taken);
    return taken.value;
  }

  /**
   * Sets passwords in the driver's own format.
   *
   * @returns false if the server does not support it
   * @throws HostingError errors of the server
   */
  async giveCredentials(credentials: string): Promise<boolean> {
    const { credentials: port } = this.bound.driver;
    const given = port ? await callDriver((deadline) => port.give(this.bound.account, credentials, deadline)) : null;
    if (given === null || given.outcome === 'refused') return false;
    if (!succeeded(given)) throw driverError(given);
    return true;
  }

  /** @throws HostingError PORT_MISSING if this kind of server does not support the port */
  port<Name extends SitePortName>(name: Name): NonNullable<SitePorts[Name]> {
    const port = (this.bound.driver as SitePorts)[name];
    if (port === undefined) throw new HostingError('PORT_MISSING');
    return port as NonNullable<SitePorts[Name]>;
  }

  /**
   * Calls a port, with the usual timeout of server calls, or until `until` is aborted.
   *
   * @param toError converts a problem code of the port to an error
   * @returns the result of the call
   * @throws HostingError PORT_MISSING, and by the outcome NODE_REFUSED, NODE_UNREACHABLE, NODE_SILENT or NODE_LATE, SITE_MISSING; the error
   * of `told`; the abort reason of `until`
   *
   * @example
   * ```ts
   * const { entries } = await site.ask('files', (files, account, deadline) => files.list(account, wanted, deadline), fileError);
   * ```
   */
  async ask<Name extends SitePortName, Value>(
    name: Name,
    call: PortCall<NonNullable<SitePorts[Name]>, Value>,
    toError?: (problem: PortProblem) => Error,
    until?: AbortSignal,
  ): Promise<Value> {
    const port = this.port(name);
    const run = (deadline: AbortSignal): Promise<DriverResult<Value>> => call(port, this.bound.account, deadline);
    const patience = this.patience();
    const result = await (until ? run(until) : callDriver(run, patience ?? undefined));
    if (succeeded(result)) return result.value;
    if (toError && result.outcome === 'refused' && result.problem) throw toError(result.problem);
    if (result.outcome !== 'unknown') throw driverError(result);
    throw new HostingError(patience === null ? 'NODE_SILENT' : 'NODE_LATE');
  }
}
