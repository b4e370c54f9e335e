import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../../common/index.js';
import type { CertificateOrder } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { AcmeProblem } from './acme/index.js';
import { CertificateRepository } from './certificate-repository.js';
import { CertificateNotices } from './certificate-notices.js';
import { CertificateOrderRepository } from './certificate-order-repository.js';
import { ProofRepository } from './proof-repository.js';

const log = loggerFor('certificates');
/** Problems that pass by themselves. */
const PASSING: readonly string[] = ['unreachable', 'slow'];
/** Problems of one name, which keeps the others from nothing. */
const OF_NAME: readonly string[] = ['dns', 'connection', 'answer', 'caa', 'rejected', 'gone'];

/** How orders end: their certificate is in use, they wait, or they have failed. */
@Injectable()
export class OrderEnds {
  constructor(
    private readonly orders: CertificateOrderRepository,
    private readonly proofs: ProofRepository,
    private readonly repository: CertificateRepository,
    private readonly access: SiteAccess,
    private readonly notices: CertificateNotices,
    private readonly clock: Clock,
  ) {}

  /** Has the server use the certificate. @returns false where the order was not open any more */
  async install(site: OpenSite, order: CertificateOrder): Promise<boolean> {
    await this.repository.push(site);
    if (!(await this.orders.end(order.id, 'done'))) return false;
    await this.removeProofs(site, order.id);
    if (order.isRenewal) await this.notices.renewed(site.account, await this.repository.of(order.accountId));
    return true;
  }

  /**
   * What becomes of an order that could not go on: it waits, its task tries again, or it has failed.
   *
   * @throws AcmeProblem for its task to try again
   */
  async stumble(order: CertificateOrder, problem: AcmeProblem, isLast: boolean): Promise<void> {
    const { kind, params, type, retryAfterMs } = problem;
    if (kind === 'stopped' && order.isRenewal) return this.postpone(order);
    const passes = PASSING.includes(kind) || type === 'accountDoesNotExist';
    if (kind === 'limited' && retryAfterMs !== null) {
      const until = new Date(this.clock.now().getTime() + retryAfterMs);
      await this.orders.stall(order.id, kind, params, until);
      return;
    }
    if (passes && !isLast) {
      if (!(await this.orders.stall(order.id, kind, params, null))) return;
      throw problem;
    }
    const { id, accountId: account } = order;
    log.warn({ err: problem.cause, order: id, account, problem: kind, type, ...params }, 'a certificate was not given');
    await this.fail(order, problem);
  }

  /** Ends a renewal whose site was stopped meanwhile, as none is begun of such a site: no failure, and pages say what it waits for. */
  private async postpone({ id, accountId }: CertificateOrder): Promise<void> {
    const isEnded = await this.orders.together(async () => {
      if (!(await this.orders.end(id, 'failed', 'cancelled'))) return false;
      await this.repository.renewWhenRunning(accountId);
      return true;
    });
    const site = isEnded && (await this.access.ofHost(accountId).catch(() => null));
    if (site) await this.removeProofs(site, id);
  }

  private async removeProofs(site: OpenSite, order: number): Promise<void> {
    await this.proofs.remove(site).catch((error: unknown) => log.warn({ err: error, order }, 'proofs stay for a while'));
  }

  private async fail(order: CertificateOrder, { kind, params }: AcmeProblem): Promise<void> {
    if (!(await this.orders.end(order.id, 'failed', kind, params))) return;
    const site = await this.access.ofHost(order.accountId).catch(() => null);
    if (!site) return;
    await this.removeProofs(site, order.id);
    // Of several names that are to be renewed, one that leads elsewhere now does not take the others with it.
    const left = order.names.filter((name) => name !== params.name);
    if (order.isRenewal && OF_NAME.includes(kind) && left.length > 0 && left.length < order.names.length) {
      await this.notices.nameLost(site.account, order, params.name!, kind, params);
      await this.orders.open(order.accountId, left, order.directory, true);
      return;
    }
    const failures = order.isRenewal ? await this.repository.renewalFailed(order.accountId) : 0;
    // Once when it begins to fail, not each time it is tried.
    if (failures <= 1) await this.notices.failed(site.account, order, kind, params);
  }
}

/** The {@link AcmeProblem} behind an error; null for an unexpected one. */
export function asProblem(error: unknown): AcmeProblem | null {
  if (error instanceof AcmeProblem) return error;
  if (!(error instanceof HostingError)) return null;
  // The server may answer later; that the site is gone is decided by its rows.
  const isAway = error.code === 'NODE_UNREACHABLE' || error.code === 'NODE_SILENT';
  return new AcmeProblem(isAway ? 'slow' : 'server', {}, '', null, { cause: error });
}
