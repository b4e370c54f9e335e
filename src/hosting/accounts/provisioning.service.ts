import { Inject, Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { HostRecord, ProvisionRequest } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import type { RemoteSite } from '../driver/index.js';
import { BinnedSite, HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { type PlacementCandidates, ServerPlacement } from '../placement/index.js';

import { checkProvisionRequest } from './account-rules.js';
import { AccountChanges } from './account-changes.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore } from './account-store.js';
import { KeptSites } from './kept-sites.js';
import { PASSWORD_HASHING, type PasswordHashing } from './password-hashing.js';

/** Retries after a name was released by another account, or after a server was unreachable. */
const MAX_ATTEMPTS = 5;

/** A row before its server is chosen. */
type NewRow = Omit<Parameters<AccountStore['insert']>[0], 'nodeCode' | 'placedBy'>;

/** Result of provisioning an account. */
export interface Provisioned {
  readonly host: HostRecord;
  /** False when an earlier call of the same request opened it. */
  readonly created: boolean;
}

/** Opens accounts: inserts the row, creates the site, then activates the account and records `host.created` in one step. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly database: Database,
    private readonly placement: ServerPlacement,
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly reconciler: AccountReconciler,
    private readonly kept: KeptSites,
    private readonly site: SiteSettings,
    @Inject(PASSWORD_HASHING) private readonly passwords: PasswordHashing,
  ) {}

  /**
   * @param source the caller: `admin`, `api` or a plugin's slug; idempotency keys of different sources are independent
   * @param exact rejects the same key with other fields, and keeps keys of different nodes apart; not for plugins, which may compute
   *   another last day on a retry
   * @param restored deleted site that becomes the site of the account
   * @throws HostingError INVALID_INPUT, CREDENTIALS_TOO_SHORT, NODE_NOT_FOUND, NODE_DISABLED, DRIVER_MISSING, NODE_FULL, GROUP_NOT_FOUND,
   *   GROUP_AWAY, GROUP_FULL, BIN_GONE, BIN_BUSY, BIN_LOST, ACCOUNT_EXISTS, REQUEST_REUSED, CREATION_REFUSED, NODE_UNREACHABLE,
   *   NODE_UNCERTAIN, ACCOUNT_BUSY
   */
  async provision(request: ProvisionRequest, source: string, exact = false, restored?: BinnedSite): Promise<Provisioned> {
    checkProvisionRequest(request);
    const requestKey = requestKeyOf(request, source, exact);
    let row: NewRow | null = null;
    const unreachable = new Set<number>();
    for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
      const before = requestKey === null ? null : await this.store.findByRequest(requestKey);
      if (before) {
        const host = await this.resume(before, request);
        if (host) return { host, created: false };
      } else {
        const wanted = await this.placement.findCandidates(request.node, unreachable);
        row ??= { ...(await this.newRow(request, requestKey, source, exact)), ...(restored ? restoredFields(restored) : {}) };
        const account = await this.insert(row, wanted, source, restored);
        if (account) {
          const active = await this.createSite(account, request.password, source);
          if (active) return { host: await this.store.toRecord(active), created: true };
          unreachable.add((await this.placement.idOf(account.nodeCode))!);
        } else await this.freeName(request.user, requestKey);
      }
    }
    throw new HostingError('ACCOUNT_BUSY');
  }

  /**
   * Opens an account for a site that already exists on its server. Concurrent calls for the same site run one after another; the second is
   * rejected.
   *
   * @param site as its server lists it
   * @throws HostingError SITE_KNOWN for a site that belongs to an account or carries the mark of one; ACCOUNT_EXISTS; and as {@link
   *   provision}
   */
  async adopt(request: ProvisionRequest, source: string, site: RemoteSite): Promise<HostRecord> {
    checkProvisionRequest(request);
    await this.placement.findCandidates(request.node);
    const row = { ...(await this.newRow(request, null, source, false)), nodeCode: request.node, siteId: site.siteId };
    const account = await this.database.transaction(async () => {
      await this.database.lockRow('HostingNode', 'code', row.nodeCode);
      await this.refuseKnown(site);
      return this.store.insert(row, site.siteName);
    });
    if (!account) throw nameTaken();
    const active = await this.changes.hold(account, false, (claim) =>
      this.reconciler.finishAdoption(claim, request.password, site, source),
    );
    return this.store.toRecord(active);
  }

  /** Rejects sites of accounts, sites in the recycle bin, and copies of an account's site, which carry its mark. */
  private async refuseKnown({ siteName, siteId, ownerMark }: RemoteSite): Promise<void> {
    const accounts = this.database.repository(HostingAccount);
    const [, id, name] = /^host:(\d{1,10}):(.+)$/.exec(ownerMark ?? '') ?? [];
    const known =
      siteId === '' ||
      (await accounts.existsBy({ siteName })) ||
      (await this.database.repository(BinnedSite).existsBy({ siteName })) ||
      (id !== undefined && (await accounts.existsBy({ id: Number(id), siteName: name })));
    if (known) throw new HostingError('SITE_KNOWN');
  }

  /**
   * Inserts the row, chooses its server and reserves the deleted site to restore, in one transaction. A restored site needs no capacity: it
   * is on its server already.
   */
  private insert(row: NewRow, wanted: PlacementCandidates, source: string, restored?: BinnedSite): Promise<HostingAccount | null> {
    return this.database.transaction(async () => {
      const place = restored ? { code: restored.nodeCode, by: null } : await this.placement.take(wanted);
      const account = await this.store.insert({ ...row, nodeCode: place.code, placedBy: place.by?.asked ?? null });
      if (account && restored) await this.kept.take(restored.id, account.id);
      if (account && place.by) await this.store.recordPlacement(account, place, source);
      return account;
    });
  }

  /** Creates the site; returns null if a chosen server was unreachable and has nothing of the site, so that another one can be tried. */
  private async createSite(account: HostingAccount, password: string, source: string): Promise<HostingAccount | null> {
    try {
      return await this.changes.hold(account, false, (claim) => this.reconciler.finishCreation(claim, password, source));
    } catch (error) {
      const isUnreachable = error instanceof HostingError && error.code === 'NODE_UNREACHABLE';
      if (isUnreachable && account.placedBy !== null && !(await this.store.find(account.id))) return null;
      throw error;
    }
  }

  /** Returns the account an earlier call of the same request opened or is opening; null if that attempt was rolled back. */
  private async resume(before: HostingAccount, request: ProvisionRequest): Promise<HostRecord | null> {
    if (before.userKey !== request.user.toLowerCase() || (before.placedBy ?? before.nodeCode) !== request.node) {
      throw new HostingError('REQUEST_REUSED');
    }
    const fingerprint = before.requestFingerprint;
    if (fingerprint !== null && !(await this.passwords.verify(fingerprintOf(request), fingerprint)))
      throw new HostingError('REQUEST_REUSED');
    return this.changes.run(before.id, async (claim) => {
      const { account } = claim;
      if (account.state === 'provisioning') {
        return this.store.toRecord(await this.reconciler.finishCreation(claim, request.password, account.openedBy));
      }
      if (account.state === 'failed') {
        await this.reconciler.rollBack(claim);
        if (!claim.ended) throw new HostingError('NODE_UNREACHABLE');
        return null;
      }
      if (claim.interrupted && !(await this.reconciler.reconcile(claim))) return null;
      return this.store.toRecord(claim.account);
    });
  }

  /**
   * Checks the account that holds the name: throws unless it belongs to this very request or to a failed creation, which is rolled back.
   */
  private async freeName(user: string, requestKey: string | null): Promise<void> {
    const holder = await this.store.findByUser(user);
    if (!holder || (requestKey !== null && holder.requestKey === requestKey)) return;
    if (holder.state !== 'failed') throw nameTaken();
    await this.changes.run(holder.id, async (claim) => {
      if (claim.account.state === 'failed') await this.reconciler.rollBack(claim);
      if (!claim.ended) throw nameTaken();
    });
  }

  private async newRow(request: ProvisionRequest, requestKey: string | null, source: string, exact: boolean): Promise<NewRow> {
    return {
      username: request.user,
      userKey: request.user.toLowerCase(),
      passwordHash: await this.passwords.hash(request.password),
      expiresOn: request.expiresOn,
      graceDays: request.graceDays ?? this.site.current.expiryGraceDays,
      ownGraceDays: request.graceDays ?? null,
      keepDays: request.keepDays ?? null,
      webQuotaMb: request.webMb ?? 0,
      databaseQuotaMb: request.databaseMb ?? 0,
      trafficQuotaGb: request.trafficGb ?? 0,
      domainQuota: request.domains ?? 0,
      monitorQuota: request.monitors ?? null,
      backupQuota: request.backups ?? null,
      openedBy: source,
      requestId: request.idempotencyKey ?? null,
      requestKey,
      requestFingerprint: exact && requestKey !== null ? await this.passwords.hash(fingerprintOf(request)) : null,
      ownerId: request.ownerId ?? null,
      email: request.email ?? null,
      packageKey: request.package ?? null,
    };
  }
}

/** Fields of a deleted account, besides its limits, that a restore keeps. */
const restoredFields = ({ email, openedBy, requestId, ownerId, backupSchedule }: BinnedSite) => ({
  email,
  openedBy,
  requestId,
  ownerId,
  backupSchedule,
});

function requestKeyOf({ node, idempotencyKey }: ProvisionRequest, source: string, exact: boolean): string | null {
  if (idempotencyKey === undefined) return null;
  return exact ? `${source}:${node}:${idempotencyKey}` : `${source}:${idempotencyKey}`;
}

/** Everything in a request, including its password; only a slow hash of it is stored. */
function fingerprintOf(request: ProvisionRequest): string {
  const { node, user, password, expiresOn, webMb = 0, databaseMb = 0, trafficGb = 0, domains = 0 } = request;
  const { monitors = null, backups = null, graceDays = null, keepDays = null } = request;
  const fields = [node, user.toLowerCase(), password, expiresOn, webMb, databaseMb, trafficGb, domains];
  if (request.email !== undefined) fields.push(request.email);
  // Fields added later are left out unless set, so that fingerprints of older requests still match.
  if (graceDays !== null || keepDays !== null) return JSON.stringify([...fields, monitors, backups, graceDays, keepDays]);
  if (backups !== null) return JSON.stringify([...fields, monitors, backups]);
  return JSON.stringify(monitors === null ? fields : [...fields, monitors]);
}

const nameTaken = (): HostingError => new HostingError('ACCOUNT_EXISTS', {}, { user: 'hosting.account_exists' });
