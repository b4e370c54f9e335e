import {
  type CertificatesPort,
  DEFAULT_WEB_SETTINGS,
  type DomainsPort,
  type DriverCertificate,
  type DriverDomain,
  type DriverProof,
  HostDriver,
  type DriverAccount,
  type DriverCapability,
  type DriverNode,
  type DriverQuota,
  type DriverResult,
  type IdleSign,
  type RemotePage,
  type WebSettingsPort,
  type WebSettingsState,
  type SiteSpecification,
  type SiteStatus,
  type SiteSwitch,
  type TrafficPort,
} from '../../src/hosting/index.js';

/**
 * Outcome of a call to the fake server. `applied` (done) and `lost` (not done) are `unknown` to the caller; `vanished` removes the site
 * first, as if someone had deleted it on the server.
 */
export type FakeOutcome = 'ok' | 'refused' | 'unreachable' | 'applied' | 'lost' | 'throws' | 'vanished';

const FOREIGN = { outcome: 'refused', message: 'somebody else’s' } as const;

interface FakeSite {
  mark: string;
  suspended: boolean;
  stopped: boolean;
  username?: string;
  idle?: readonly IdleSign[];
  usage?: { web?: number; database?: number; traffic?: number };
  expiresOn: string | null;
  quota: DriverQuota;
  password: string | null;
  restoredFrom?: string;
}

/** Web server settings of a site. */
interface FakeServing {
  domains: readonly DriverDomain[];
  settings: WebSettingsState;
  certificate: DriverCertificate | null;
  proofs: readonly DriverProof[];
}

const NOTHING_TOLD: FakeServing = { domains: [], settings: DEFAULT_WEB_SETTINGS, certificate: null, proofs: [] };

/** Fake server in memory whose next outcomes are scripted; calls without a script succeed. */
export class FakeDriver extends HostDriver {
  readonly type: string = 'fake';
  readonly basics = new Set<DriverCapability>();
  override idleSigns: readonly IdleSign[] = [];
  override traffic: TrafficPort | undefined = undefined;
  override domains: DomainsPort | undefined = undefined;
  override settings: WebSettingsPort | undefined = undefined;
  override certificates: CertificatesPort | undefined = undefined;
  readonly sites = new Map<string, FakeSite>();
  /** Settings by site, after {@link serve}. */
  readonly serving = new Map<string, FakeServing>();
  readonly calls: string[] = [];
  /** Names of sites removed without the panel. */
  readonly vanished = new Set<string>();
  script: FakeOutcome[] = [];
  /** Awaited before each creation. */
  gate: Promise<void> = Promise.resolve();

  title() {
    return 'fake';
  }

  probe() {
    return Promise.resolve({ outcome: 'ok', value: { version: '1', system: 'fake' } } as const);
  }

  async create(site: SiteSpecification): Promise<DriverResult<{ siteId: string }>> {
    await this.gate;
    return this.play<{ siteId: string }>('create', site, () => {
      const there = this.sites.get(site.siteName);
      if (there && there.mark !== site.ownerMark) return { outcome: 'refused', message: 'taken' };
      if (!there) {
        const { quota, expiresOn, password, username } = site;
        this.sites.set(site.siteName, { mark: site.ownerMark, suspended: false, stopped: false, expiresOn, quota, password, username });
        this.vanished.delete(site.siteName);
      }
      return { outcome: there ? 'already' : 'ok', value: { siteId: '7' } };
    });
  }

  suspend(account: DriverAccount): Promise<DriverResult> {
    return this.change('suspend', account, (site) => (site.suspended = true));
  }

  unsuspend(account: DriverAccount, to: SiteSwitch): Promise<DriverResult> {
    return this.change('unsuspend', account, (site) => {
      site.suspended = false;
      site.stopped = to === 'stopped';
    });
  }

  start(account: DriverAccount): Promise<DriverResult> {
    return this.change('start', account, (site) => (site.stopped = false));
  }

  stop(account: DriverAccount): Promise<DriverResult> {
    return this.change('stop', account, (site) => (site.stopped = true));
  }

  renew(account: DriverAccount, expiresOn: string | null): Promise<DriverResult> {
    return this.change('renew', account, (site) => (site.expiresOn = expiresOn));
  }

  changeQuota(account: DriverAccount, quota: DriverQuota): Promise<DriverResult> {
    return this.change('changeQuota', account, (site) => (site.quota = quota));
  }

  changePassword(account: DriverAccount, password: string): Promise<DriverResult> {
    return this.change('changePassword', account, (site) => (site.password = password));
  }

  terminate(account: DriverAccount): Promise<DriverResult> {
    return this.change('terminate', account, () => {
      this.serving.delete(account.siteName);
      return this.sites.delete(account.siteName);
    });
  }

  sync(account: DriverAccount): Promise<DriverResult<SiteStatus>> {
    return this.play<SiteStatus>('sync', account, () => {
      const site = this.sites.get(account.siteName);
      if (!site) return { outcome: 'not_found' };
      if (site.mark !== account.ownerMark) return FOREIGN;
      return {
        outcome: 'ok',
        value: {
          running: !site.suspended && !site.stopped,
          suspended: site.suspended,
          webUsedBytes: site.usage?.web ?? 0,
          databaseUsedBytes: site.usage?.database ?? 0,
        },
      };
    });
  }

  override idle(account: DriverAccount): Promise<DriverResult<readonly IdleSign[]>> {
    return this.play<readonly IdleSign[]>('idle', account, () => {
      const site = this.sites.get(account.siteName);
      return site ? { outcome: 'ok', value: site.idle ?? [] } : { outcome: 'not_found' };
    });
  }

  /** Returns two sites per page, so that callers must request the next ones. */
  list(_node: DriverNode, cursor: string | null): Promise<DriverResult<RemotePage>> {
    this.calls.push('list');
    const names = [...this.sites.keys()]
      .sort()
      .filter((name) => cursor === null || name > cursor)
      .slice(0, 2);
    const sites = names.map((siteName) => {
      const { mark, suspended, stopped, username = '' } = this.sites.get(siteName)!;
      return { siteName, siteId: '7', ownerMark: mark, username, running: !suspended && !stopped, suspended };
    });
    return Promise.resolve({ outcome: 'ok', value: { sites, next: names.length === 2 ? names[1]! : null } });
  }

  /** Enables traffic counting; the values are the `usage` of the sites. */
  countTraffic(): void {
    this.traffic = {
      isCountedHere: false,
      ofMonth: ({ siteName }) => Promise.resolve({ outcome: 'ok', value: this.sites.get(siteName)?.usage?.traffic ?? 0 }),
    };
  }

  /** Enables domains, settings and certificates, with checks whether they match. */
  serve(): this {
    this.domains = this.told('domains');
    this.settings = this.told('settings');
    const { apply, matches } = this.told('certificate');
    this.certificates = { apply, matches, prove: this.told('proofs').apply };
    return this;
  }

  /** Returns the web server settings of a site. */
  servingOf(siteName: string): FakeServing {
    return this.serving.get(siteName) ?? NOTHING_TOLD;
  }

  private told<Name extends keyof FakeServing>(name: Name) {
    const run = <Value>(account: DriverAccount, work: (present: FakeServing) => DriverResult<Value>): Promise<DriverResult<Value>> =>
      this.play<Value>(name, account, () => {
        const site = this.sites.get(account.siteName);
        if (!site) return { outcome: 'not_found' };
        return site.mark === account.ownerMark ? work(this.servingOf(account.siteName)) : FOREIGN;
      });
    const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
    return {
      apply: (account: DriverAccount, wanted: FakeServing[Name]) =>
        run<undefined>(account, (present) => {
          this.serving.set(account.siteName, { ...present, [name]: wanted });
          return { outcome: isSame(present[name], wanted) ? 'already' : 'ok', value: undefined };
        }),
      matches: (account: DriverAccount, wanted: FakeServing[Name]) =>
        run<boolean>(account, (present) => ({ outcome: 'ok', value: isSame(present[name], wanted) })),
    };
  }

  private change(name: string, account: DriverAccount, change: (site: FakeSite) => unknown): Promise<DriverResult> {
    return this.play(name, account, () => {
      const site = this.sites.get(account.siteName);
      if (!site) return { outcome: 'not_found' };
      if (site.mark !== account.ownerMark) return FOREIGN;
      const before = JSON.stringify(site);
      change(site);
      const same = this.sites.has(account.siteName) && JSON.stringify(site) === before;
      return { outcome: same ? 'already' : 'ok', value: undefined };
    });
  }

  protected async play<Value>(name: string, account: DriverAccount, apply: () => DriverResult<Value>): Promise<DriverResult<Value>> {
    this.calls.push(name);
    await Promise.resolve();
    const outcome = this.script.shift() ?? 'ok';
    if (outcome === 'refused' || outcome === 'unreachable') return { outcome, message: outcome };
    if (outcome === 'lost') return { outcome: 'unknown', message: 'timeout' };
    if (outcome === 'throws') throw new Error('broken pipe');
    if (outcome === 'vanished' && this.sites.delete(account.siteName)) this.vanished.add(account.siteName);
    const result = apply();
    return outcome === 'applied' ? { outcome: 'unknown', message: 'timeout' } : result;
  }
}
