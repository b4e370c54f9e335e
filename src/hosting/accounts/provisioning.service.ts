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

/** Rounds of "somebody else just gave this name up". */
const MAX_ROUNDS = 5;

/** A row before its server is chosen. */
type NewRow = Omit<Parameters<AccountStore['insert']>[0], 'nodeCode' | 'placedBy'>;

/** Result of provisioning an account. */
export interface Provisioned {
  readonly host: HostRecord;
  /** False when the same request had opened it before. */
  readonly created: boolean;
}

/** Opens accounts: the row first, then the site, then the account is active and `host.created` recorded, in one step. */
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
   * @param source who asks: `admin`, `api`, a plugin's slug; idempotency keys of different sources never meet
   * @param exact the same key with other fields is refused, and keys of different nodes never meet; a plugin may compute its last day
   *   anew when it tries again
   * @param restored the deleted site that becomes the one of the account
   * @throws HostingError INVALID_INPUT, CREDENTIALS_TOO_SHORT, NODE_NOT_FOUND, NODE_DISABLED, DRIVER_MISSING, NODE_FULL, GROUP_NOT_FOUND,
   *   GROUP_AWAY, GROUP_FULL, BIN_GONE, BIN_BUSY, BIN_LOST, ACCOUNT_EXISTS, REQUEST_REUSED, CREATION_REFUSED, NODE_UNREACHABLE,
   *   NODE_UNCERTAIN, ACCOUNT_BUSY
   */
  async provision(request: ProvisionRequest, source: string, exact = false, restored?: BinnedSite): Promise<Provisioned> {
    checkProvisionRequest(request);
    const requestKey = requestKeyOf(request, source, exact);
    let row: NewRow | null = null;
    const away = new Set<number>();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const before = requestKey === null ? null : await this.store.findByRequest(requestKey);
      if (before) {
        const host = await this.resume(before, request);
        if (host) return { host, created: false };
      } else {
        const wanted = await this.placement.look(request.node, away);
        row ??= { ...(await this.newRow(request, requestKey, source, exact)), ...(restored ? broughtBack(restored) : {}) };
        const account = await this.insert(row, wanted, source, restored);
        if (account) {
          const active = await this.make(account, request.password, source);
          if (active) return { host: await this.store.toRecord(active), created: true };
          away.add((await this.placement.idOf(account.nodeCode))!);
        } else await this.makeWay(request.user, requestKey);
      }
    }
    throw new HostingError('ACCOUNT_BUSY');
  }

  /**
   * Opens an account for a site that is on its server already. Two who want the same one wait for one another; the second is refused.
   *
   * @param site as its server lists it
   * @throws HostingError SITE_KNOWN for one that is an account's, or carries the mark of one; ACCOUNT_EXISTS; and as {@link provision}
   */
  async adopt(request: ProvisionRequest, source: string, site: RemoteSite): Promise<HostRecord> {
    checkProvisionRequest(request);
    await this.placement.look(request.node);
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

  /** One of an account, one in the recycle bin, and a copy of one that an account has, whose mark it carries. */
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
   * The row, on the server that is chosen for it and with its hold on what becomes its site, or nothing of it. What comes back from the
   * recycle bin takes no room: its site is on the server as it is.
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

  /** Makes the site; null where a server that was chosen could not be reached and has nothing of it: another one may do. */
  private async make(account: HostingAccount, password: string, source: string): Promise<HostingAccount | null> {
    try {
      return await this.changes.hold(account, false, (claim) => this.reconciler.finishCreation(claim, password, source));
    } catch (error) {
      const isAway = error instanceof HostingError && error.code === 'NODE_UNREACHABLE';
      if (isAway && account.placedBy !== null && !(await this.store.find(account.id))) return null;
      throw error;
    }
  }

  /** The account an earlier call of the same request opened, or is opening; null when that came to nothing. */
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

  /** Somebody has the name: fine when that was this very request or a creation that failed, else an error. */
  private async makeWay(user: string, requestKey: string | null): Promise<void> {
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

/** What stays of a deleted account besides its limits. */
const broughtBack = ({ email, openedBy, requestId, ownerId, backupSchedule }: BinnedSite) => ({
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

/** Everything a request asks for, its password too: what is kept of it is a slow hash. */
function fingerprintOf(request: ProvisionRequest): string {
  const { node, user, password, expiresOn, webMb = 0, databaseMb = 0, trafficGb = 0, domains = 0 } = request;
  const { monitors = null, backups = null, graceDays = null, keepDays = null } = request;
  const asked = [node, user.toLowerCase(), password, expiresOn, webMb, databaseMb, trafficGb, domains];
  if (request.email !== undefined) asked.push(request.email);
  // What was asked before there were such limits keeps its fingerprint.
  if (graceDays !== null || keepDays !== null) return JSON.stringify([...asked, monitors, backups, graceDays, keepDays]);
  if (backups !== null) return JSON.stringify([...asked, monitors, backups]);
  return JSON.stringify(monitors === null ? asked : [...asked, monitors]);
}

const nameTaken = (): HostingError => new HostingError('ACCOUNT_EXISTS', {}, { user: 'hosting.account_exists' });
