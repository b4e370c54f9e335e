import {
  Administrator,
  Administrators,
  CaptchaService,
  FailedSignIns,
  KnownDevices,
  LocalSignIn,
  LoginService,
  PasswordHasher,
  RateLimiter,
  SecondFactors,
  SessionService,
  SignInDelay,
  SignInLimits,
  UserDirectory,
  type LoginCandidate,
} from '../../src/auth/index.js';
import { CodeProof } from '../../src/auth/code-proof.js';
import { CodeStep } from '../../src/auth/code-step.js';
import { Credentials } from '../../src/auth/credentials.js';
import { SignInEntry } from '../../src/auth/sign-in-entry.js';
import { SignInSteps } from '../../src/auth/sign-in-steps.js';
import { AppConfig, Secrets, loadSecretKey } from '../../src/config/index.js';
import type { Database } from '../../src/database/index.js';
import { HostingAccount, HostingNode, NodeSystem } from '../../src/hosting/index.js';

import { createTestDatabase } from './database.js';
import { ManualClock } from './manual-clock.js';

/** Services of the sign-in on a real database, with a manual clock; the node `bh1` exists. */
export interface TestSignIn {
  readonly database: Database;
  readonly clock: ManualClock;
  readonly config: AppConfig;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
  readonly captchas: CaptchaService;
  readonly sessions: SessionService;
  readonly administrators: Administrators;
  readonly directory: TableDirectory;
  readonly logins: LoginService;
  readonly devices: KnownDevices;
  readonly seconds: SecondFactors;
  readonly failures: FailedSignIns;
  /** Delays of answers, in seconds; tests do not wait for them. */
  readonly delays: number[];
  /** Creates the same services with other settings on the same database, like another process. */
  another(env: NodeJS.ProcessEnv): TestSignIn;
  dispose(): Promise<void>;
}

/** Creates the services; `env` adds to the configuration. */
export async function createTestSignIn(env: NodeJS.ProcessEnv = {}): Promise<TestSignIn> {
  const { database, place, dispose } = await createTestDatabase();
  await database.repository(HostingNode).insert({
    code: 'bh1',
    codeKey: 'bh1',
    driver: 'embedded',
    openKey: 'k',
    signatureKey: 'q',
    system: NodeSystem.Linux,
    createdAt: new Date(),
  });
  const clock = new ManualClock();
  const partsFor = (more: NodeJS.ProcessEnv): TestSignIn => {
    const config = new AppConfig({ DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, ...env, ...more });
    const hasher = new PasswordHasher();
    const limiter = new RateLimiter(database, config, clock);
    const captchas = new CaptchaService(database, config, clock, limiter);
    const sessions = new SessionService(database, clock, config);
    const administrators = new Administrators(database.repository(Administrator), hasher, clock);
    const directory = new TableDirectory(database);
    const devices = new KnownDevices(database, clock);
    const failures = new FailedSignIns(database, clock);
    const delays: number[] = [];
    const delay = new (class extends SignInDelay {
      override wait(seconds: number): Promise<void> {
        if (seconds > 0) delays.push(seconds);
        return Promise.resolve();
      }
    })();
    const limits = new SignInLimits(limiter, devices, failures, delay);
    const seconds = new SecondFactors(database, clock, new Secrets(loadSecretKey(config.dataDir)));
    const steps = new SignInSteps(database, clock);
    const entry = new SignInEntry(sessions, devices);
    const credentials = new Credentials(config, new LocalSignIn(), administrators, hasher, directory);
    const proof = new CodeProof(seconds, steps, limits, limiter);
    const codes = new CodeStep(seconds, steps, proof, entry);
    const logins = new LoginService(captchas, limits, credentials, codes, entry);
    return {
      database,
      clock,
      config,
      hasher,
      limiter,
      captchas,
      sessions,
      administrators,
      directory,
      logins,
      devices,
      seconds,
      failures,
      delays,
      another: partsFor,
      dispose,
    };
  };
  return partsFor({});
}

/** User directory with the accounts of the table; accounts in `refused` may not sign in. */
export class TableDirectory extends UserDirectory {
  readonly refused = new Set<number>();

  constructor(private readonly database: Database) {
    super();
  }

  async findForLogin(username: string): Promise<LoginCandidate | null> {
    const account = await this.rows.findOneBy({ userKey: username.toLowerCase() });
    if (!account || !this.refused.has(account.id)) return account;
    return { ...account, refusal: { text: 'hosting.login_paused', params: { qq: '10001' } } };
  }

  /** Stores another hash unless it is no longer `presentHash`, as a change of the password does. */
  async changePassword(id: number, presentHash: string, passwordHash: string): Promise<boolean> {
    return (await this.rows.update({ id, passwordHash: presentHash }, { passwordHash })).affected === 1;
  }

  /** Adds an account on the node `bh1`. */
  async add(username: string, passwordHash: string, changes: Partial<HostingAccount> = {}): Promise<number> {
    const row = this.rows.create({
      username,
      userKey: username.toLowerCase(),
      passwordHash,
      nodeCode: 'bh1',
      siteName: `svc.${username}`,
      expiresOn: null,
      createdAt: new Date(),
      state: 'active',
      pauseReasons: [],
      ...changes,
    });
    return (await this.rows.save(row)).id;
  }

  private get rows() {
    return this.database.repository(HostingAccount);
  }
}

/** Returns the value of a cookie from its `Set-Cookie` line. */
export function cookieValue(line: string | readonly string[] | null | undefined): string {
  return /^[^=]+=([^;]*)/.exec(String(line))![1]!;
}
