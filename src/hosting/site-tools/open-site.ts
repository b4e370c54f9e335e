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

/** How long what is shown may wait for a server now, in milliseconds; null where a call may take as long as any. */
export type Patience = () => number | null;

/** Least time a part of a page has for its server, in milliseconds, when the parts before it took all there was. */
const LEAST_MS = 500;

/** The patience of a page that a call gets; that of any other call where it gets none. */
export function patienceOf(call: CallContext | undefined): Patience {
  return () => {
    const left = call ? RequestContext.leftToShow(call) : null;
    return left === null ? null : Math.max(left, LEAST_MS);
  };
}

/** A site somebody may work on, and the way to its server. */
export class OpenSite {
  constructor(
    /** As it was when it was opened. */
    readonly account: HostingAccount,
    private readonly bound: BoundDriver,
    private readonly patience: Patience = () => null,
  ) {}

  /** Whether the site's server can do something. */
  has(port: SitePortName): boolean {
    return this.bound.driver[port] !== undefined;
  }

  /** Whether this machine serves it. */
  get isHere(): boolean {
    return this.bound.driver.type === 'embedded';
  }

  /** What its server has a port for. */
  get ports(): ReadonlySet<SitePortName> {
    return new Set(portsOf(this.bound.driver));
  }

  /** Everything its server can do. */
  get capabilities(): ReadonlySet<DriverCapability> {
    return this.bound.driver.capabilities;
  }

  /** Whether what only servers of its kind understand can go along to another server. */
  handsOverTo(other: OpenSite): boolean {
    const { driver } = this.bound;
    return driver === other.bound.driver && driver.credentials !== undefined;
  }

  /**
   * Its passwords as only its kind of server understands them, to be given to it again, or on another server of the kind. A secret.
   *
   * @returns null where its server knows nothing of that, as an older agent
   * @throws HostingError what its server comes to
   */
  async takeCredentials(): Promise<string | null> {
    const { credentials } = this.bound.driver;
    const taken = credentials ? await callDriver((deadline) => credentials.take(this.bound.account, deadline)) : null;
    if (taken === null || taken.outcome === 'refused') return null;
    if (!succeeded(taken)) throw driverError(taken);
    return taken.value;
  }

  /** Makes passwords its own. @returns false where its server knows nothing of that @throws HostingError what its server comes to */
  async giveCredentials(credentials: string): Promise<boolean> {
    const { credentials: port } = this.bound.driver;
    const given = port ? await callDriver((deadline) => port.give(this.bound.account, credentials, deadline)) : null;
    if (given === null || given.outcome === 'refused') return false;
    if (!succeeded(given)) throw driverError(given);
    return true;
  }

  /** @throws HostingError PORT_MISSING where this kind of server cannot do that */
  port<Name extends SitePortName>(name: Name): NonNullable<SitePorts[Name]> {
    const port = (this.bound.driver as SitePorts)[name];
    if (port === undefined) throw new HostingError('PORT_MISSING');
    return port as NonNullable<SitePorts[Name]>;
  }

  /**
   * Asks a port, with the deadline every call to a server has, or until `until` says so.
   *
   * @param told makes the refusal of a problem the port names by a code
   * @returns what it answered
   * @throws HostingError PORT_MISSING, and by the outcome NODE_REFUSED, NODE_UNREACHABLE, NODE_SILENT or NODE_LATE, SITE_MISSING; what
   * `told` makes; what `until` was aborted with
   *
   * @example
   * ```ts
   * const { entries } = await site.ask('files', (files, account, deadline) => files.list(account, wanted, deadline), fileError);
   * ```
   */
  async ask<Name extends SitePortName, Value>(
    name: Name,
    call: PortCall<NonNullable<SitePorts[Name]>, Value>,
    told?: (problem: PortProblem) => Error,
    until?: AbortSignal,
  ): Promise<Value> {
    const port = this.port(name);
    const run = (deadline: AbortSignal): Promise<DriverResult<Value>> => call(port, this.bound.account, deadline);
    const patience = this.patience();
    const result = await (until ? run(until) : callDriver(run, patience ?? undefined));
    if (succeeded(result)) return result.value;
    if (told && result.outcome === 'refused' && result.problem) throw told(result.problem);
    if (result.outcome !== 'unknown') throw driverError(result);
    throw new HostingError(patience === null ? 'NODE_SILENT' : 'NODE_LATE');
  }
}
