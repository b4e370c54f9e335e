import { isAbsolute, join, resolve } from 'node:path';

import ipaddr from 'ipaddr.js';

import { bucketOf, type Bucket } from './bucket.js';
import { ConfigurationError, parseEnvironment } from './environment.js';

/** A part of the product that a process can run. */
export type ServiceName = 'panel' | 'store' | 'worker';

/** How captchas are created. */
export type CaptchaMode = { kind: 'svg' } | { kind: 'off' } | { kind: 'fixed'; answer: string };

/** Administrator password used if none is set and only this machine can reach the process; documented in the README. */
export const DEFAULT_ADMIN_PASSWORD = 'svc-panel-admin';

/** The validated process configuration with defaults filled in. Read once, at startup. */
export class AppConfig {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** 0 uses a free port. */
  readonly sitesPort: number;
  /** Port of hosted sites over TLS; 0 uses a free port, null disables it. */
  readonly sitesTlsPort: number | null;
  /** Public port for it, if it differs from the listening port; otherwise null. */
  readonly sitesTlsPublicPort: number | null;
  /** Parent domain of hosted sites, `<user>.<domain>`, in lower case. */
  readonly sitesDomain: string;
  /** Public port of hosted sites, if it differs from the listening port; otherwise null. */
  readonly sitesPublicPort: number | null;
  /** Value of `BASE_URL`; empty to use the address of the server. */
  readonly configuredBaseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly services: ReadonlySet<ServiceName>;
  /** CIDR list of proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies: readonly string[];
  /** CIDR list of internal addresses outbound requests may reach; none by default. */
  readonly outboundAllow: readonly string[];
  /** CIDR list of internal addresses monitors may check, whoever set them up; none by default. */
  readonly monitorAllow: readonly string[];
  /** Time zone of legacy times. */
  readonly timezone: string;
  readonly adminUsername: string;
  readonly adminPassword: string | null;
  readonly apiKey: string | null;
  readonly captcha: CaptchaMode;
  /**
   * Proof of work before sign-in, in addition to the captcha: leading zero bits of a hash the browser must find; 0 disables it. Each bit
   * doubles the time.
   */
  readonly captchaWork: number;
  readonly rateLimit: boolean;
  /** Token required by `/metrics`; null allows requests from this machine only. */
  readonly metricsToken: string | null;
  /** Start without plugins. */
  readonly safeMode: boolean;
  /** How long the process keeps accepting requests after a shutdown signal while `/readyz` reports it, in milliseconds. */
  readonly shutdownDrainMs: number;
  /** Maximum duration of a shutdown, in milliseconds, including the drain. */
  readonly shutdownLimitMs: number;
  /** Plugin store URL without a trailing slash; null uses the store of this process, if it runs one. */
  readonly storeUrl: string | null;
  /** Bucket for the store's packages; null uses `dataDir`. */
  readonly storeS3: Bucket | null;
  /** Folder where backups are written, and kept if there is no bucket for them. */
  readonly backupDir: string;
  /** Folder for site backups on the disk of this machine. */
  readonly siteBackupDir: string;
  /** Bucket for backups; null uses {@link backupDir}. */
  readonly backupS3: Bucket | null;
  /** Part size of large site backups in the bucket, in bytes. */
  readonly backupS3Part: number;

  /** @throws ConfigurationError naming every variable that is invalid, or too weak for a process reachable from other machines */
  constructor(env: NodeJS.ProcessEnv = process.env) {
    const source = parseEnvironment(env);
    const problems: string[] = [];
    this.production = source.NODE_ENV === 'production';
    this.host = source.HOST ?? '127.0.0.1';
    this.port = source.PORT ?? 3000;
    this.sitesPort = source.SITES_PORT ?? 3080;
    const [tlsPort, tlsPublicPort] = (source.SITES_TLS_PORT ?? '').split(':');
    this.sitesTlsPort = tlsPort ? Number(tlsPort) : null;
    this.sitesTlsPublicPort = tlsPublicPort ? Number(tlsPublicPort) : null;
    const [sitesDomain, sitesPublicPort] = (source.SITES_DOMAIN ?? 'localhost').split(':');
    this.sitesDomain = sitesDomain!;
    this.sitesPublicPort = sitesPublicPort ? Number(sitesPublicPort) : null;
    this.configuredBaseUrl = (source.BASE_URL ?? '').replace(/\/+$/, '');
    this.dataDir = resolve(source.DATA_DIR ?? './data');
    this.databaseUrl = source.DATABASE_URL ?? `sqlite:${join(this.dataDir, 'panel.db')}`;
    this.redisUrl = source.REDIS_URL ?? null;
    this.services = new Set((source.SERVICES ?? 'panel,store,worker').split(',') as ServiceName[]);
    this.trustedProxies = cidrList('TRUST_PROXY', source.TRUST_PROXY, problems);
    this.outboundAllow = cidrList('OUTBOUND_ALLOW', source.OUTBOUND_ALLOW, problems);
    this.monitorAllow = cidrList('MONITOR_ALLOW', source.MONITOR_ALLOW, problems);
    this.timezone = source.TIMEZONE ?? 'Asia/Shanghai';
    this.adminUsername = source.ADMIN_USERNAME ?? 'admin';
    this.adminPassword = source.ADMIN_PASSWORD ?? null;
    this.apiKey = source.API_KEY ?? null;
    this.captcha = captchaMode(source.CAPTCHA ?? 'svg');
    this.captchaWork = source.CAPTCHA_WORK ?? 0;
    this.shutdownDrainMs = (source.SHUTDOWN_DRAIN_SECONDS ?? 2) * 1_000;
    this.shutdownLimitMs = (source.SHUTDOWN_LIMIT_SECONDS ?? 20) * 1_000;
    if (this.shutdownDrainMs > this.shutdownLimitMs / 2)
      problems.push('SHUTDOWN_DRAIN_SECONDS must be at most half of SHUTDOWN_LIMIT_SECONDS');
    this.storeUrl = source.STORE_URL?.replace(/\/$/, '') ?? null;
    if (this.storeUrl?.startsWith('http:') && !isLoopback(hostOf(this.storeUrl)))
      problems.push('STORE_URL must begin with https://, unless the store runs on this machine');
    this.storeS3 = bucketOf('STORE', source, problems);
    this.backupDir = source.BACKUP_DIR ? resolve(source.BACKUP_DIR) : join(this.dataDir, 'backups');
    this.siteBackupDir = join(this.dataDir, 'site-backups');
    this.backupS3 = bucketOf('BACKUP', source, problems);
    this.backupS3Part = (source.BACKUP_S3_PART_MB ?? 64) * 1024 * 1024;
    this.rateLimit = source.RATE_LIMIT !== 'off';
    this.metricsToken = source.METRICS_TOKEN ?? null;
    this.safeMode = source.SAFE_MODE === '1';

    // Sites below a domain can set cookies for all of it, and a host could be created under the panel's name.
    const panelHost = hostOf(this.configuredBaseUrl).toLowerCase();
    if (!isLoopback(panelHost) && `.${panelHost}`.endsWith(`.${this.sitesDomain}`))
      problems.push(
        'SITES_DOMAIN must be another domain than the one of BASE_URL, and not a parent of it: hosted sites must not ' +
          'share a name with the panel',
      );

    const exposed = this.exposedBy;
    if (exposed !== null) {
      if (this.captcha.kind !== 'svg') problems.push(`CAPTCHA must be svg when ${exposed}`);
      if (!this.rateLimit) problems.push(`RATE_LIMIT must be on when ${exposed}`);
      if (this.adminPassword === DEFAULT_ADMIN_PASSWORD) problems.push(`ADMIN_PASSWORD must not be the published default when ${exposed}`);
    }
    if (problems.length) throw new ConfigurationError(problems);
  }

  /**
   * Why the process is reachable from other machines, as a phrase to follow "when"; null if it is not. A proxy in front of a
   * loopback address is only visible in BASE_URL.
   */
  get exposedBy(): string | null {
    if (this.production) return 'NODE_ENV is production';
    if (!isLoopback(this.host)) return 'HOST is not a loopback address';
    if (this.configuredBaseUrl !== '' && !isLoopback(hostOf(this.configuredBaseUrl)))
      return 'the host of BASE_URL is not a loopback address';
    return null;
  }

  /** Whether the published default password is allowed: only if no other machine can reach the process. */
  get defaultPasswordAllowed(): boolean {
    return this.exposedBy === null;
  }

  /** Returns whether this process runs that part. */
  runs(service: ServiceName): boolean {
    return this.services.has(service);
  }

  /** Path of the SQLite file; null on MySQL. */
  get sqlitePath(): string | null {
    if (!this.databaseUrl.startsWith('sqlite:')) return null;
    const path = this.databaseUrl.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    return isAbsolute(path) ? path : resolve(path);
  }
}

/** Returns the host of a URL, an IPv6 address without brackets; empty if it cannot be parsed, which counts as non-loopback. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
}

/** `localhost` and its subdomains are always loopback (RFC 6761 section 6.3). */
function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

function cidrList(name: string, text: string | undefined, problems: string[]): string[] {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  return entries.flatMap((entry) => {
    if (ipaddr.isValidCIDR(entry)) return [entry];
    if (ipaddr.isValid(entry)) return [`${entry}/${ipaddr.parse(entry).kind() === 'ipv6' ? 128 : 32}`];
    problems.push(`${name}: "${entry}" is neither an address nor a CIDR range`);
    return [];
  });
}

function captchaMode(text: string): CaptchaMode {
  if (text.startsWith('fixed:')) return { kind: 'fixed', answer: text.slice('fixed:'.length) };
  return text === 'off' ? { kind: 'off' } : { kind: 'svg' };
}
