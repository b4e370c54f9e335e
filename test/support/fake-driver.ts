import {
  HostDriver,
  type DriverAccount,
  type DriverCapability,
  type DriverQuota,
  type DriverResult,
  type SiteSpecification,
  type SiteStatus,
} from '../../src/hosting/index.js';

/** What a call of the fake server comes to: `applied` and `lost` are `unknown` to the caller. */
export type FakeOutcome = 'ok' | 'refused' | 'unreachable' | 'applied' | 'lost' | 'throws';

interface FakeSite {
  mark: string;
  running: boolean;
  expiresOn: string | null;
  quota: DriverQuota;
  password: string | null;
}

/** A server in memory whose next outcomes are scripted; without a script everything works. */
export class FakeDriver extends HostDriver {
  readonly type: string = 'fake';
  readonly capabilities = new Set<DriverCapability>();
  readonly sites = new Map<string, FakeSite>();
  readonly calls: string[] = [];
  script: FakeOutcome[] = [];
  /** Waited for before each creation. */
  gate: Promise<void> = Promise.resolve();

  probe() {
    return Promise.resolve({ outcome: 'ok', value: { version: '1', system: 'fake' } } as const);
  }

  async create(site: SiteSpecification): Promise<DriverResult<{ siteId: string }>> {
    await this.gate;
    return this.play<{ siteId: string }>('create', () => {
      const there = this.sites.get(site.siteName);
      if (there && there.mark !== site.ownerMark) return { outcome: 'refused', message: 'taken' };
      if (!there) {
        const { quota, expiresOn, password } = site;
        this.sites.set(site.siteName, { mark: site.ownerMark, running: true, expiresOn, quota, password });
      }
      return { outcome: there ? 'already' : 'ok', value: { siteId: '7' } };
    });
  }

  suspend(account: DriverAccount): Promise<DriverResult> {
    return this.change('suspend', account, (site) => (site.running = false));
  }

  unsuspend(account: DriverAccount): Promise<DriverResult> {
    return this.change('unsuspend', account, (site) => (site.running = true));
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
    return this.change('terminate', account, () => this.sites.delete(account.siteName));
  }

  sync(account: DriverAccount): Promise<DriverResult<SiteStatus>> {
    return this.play<SiteStatus>('sync', () => {
      const site = this.sites.get(account.siteName);
      if (!site) return { outcome: 'not_found' };
      return {
        outcome: 'ok',
        value: { running: site.running, webUsedBytes: 0, databaseUsedBytes: 0, trafficUsedBytes: 0 },
      };
    });
  }

  private change(name: string, account: DriverAccount, change: (site: FakeSite) => unknown): Promise<DriverResult> {
    return this.play(name, () => {
      const site = this.sites.get(account.siteName);
      if (!site) return { outcome: 'not_found' };
      change(site);
      return { outcome: 'ok', value: undefined };
    });
  }

  private async play<Value>(name: string, apply: () => DriverResult<Value>): Promise<DriverResult<Value>> {
    this.calls.push(name);
    await Promise.resolve();
    const outcome = this.script.shift() ?? 'ok';
    if (outcome === 'refused' || outcome === 'unreachable') return { outcome, message: outcome };
    if (outcome === 'lost') return { outcome: 'unknown', message: 'timeout' };
    if (outcome === 'throws') throw new Error('broken pipe');
    const result = apply();
    return outcome === 'applied' ? { outcome: 'unknown', message: 'timeout' } : result;
  }
}
