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
/** Problems that pass on their own. */
const PASSING: readonly string[] = ['unreachable', 'slow'];
/** Problems of a single name, which do not affect the other names. */
const OF_NAME: readonly string[] = ['dns', 'connection', 'answer', 'caa', 'rejected', 'gone'];

/** Ends orders: installs their certificate, lets them wait, or fails them. */
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

  /** Installs the certificate on the server. @returns false when the order was no longer open */
  async install(site: OpenSite, order: CertificateOrder): Promise<boolean> {
    await this.repository.push(site);
    if (!(await this.orders.end(order.id, 'done'))) return false;
    await this.removeProofs(site, order.id);
    if (order.isRenewal) await this.notices.renewed(site.account, await this.repository.of(order.accountId));
    return true;
  }

  /**
   * Decides what happens to an order that could not continue: it waits, its task retries, or it fails.
   *
   * @throws AcmeProblem so that its task retries
   */
  async handleProblem(order: CertificateOrder, problem: AcmeProblem, isLast: boolean): Promise<void> {
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
    log.warn({ err: problem.cause, order: id, account, problem: kind, type, ...params }, 'a certificate could not be issued');
    await this.fail(order, problem);
  }

  /** Ends a renewal whose site was stopped meanwhile, without counting a failure; pages show what it waits for. */
  private async postpone({ id, accountId }: CertificateOrder): Promise<void> {
    const isEnded = await this.orders.inTransaction(async () => {
      if (!(await this.orders.end(id, 'failed', 'cancelled'))) return false;
      await this.repository.renewWhenRunning(accountId);
      return true;
    });
    const site = isEnded && (await this.access.ofHost(accountId).catch(() => null));
    if (site) await this.removeProofs(site, id);
  }

  private async removeProofs(site: OpenSite, order: number): Promise<void> {
    await this.proofs.remove(site).catch((error: unknown) => log.warn({ err: error, order }, 'proofs could not be removed yet'));
  }

  private async fail(order: CertificateOrder, { kind, params }: AcmeProblem): Promise<void> {
    if (!(await this.orders.end(order.id, 'failed', kind, params))) return;
    const site = await this.access.ofHost(order.accountId).catch(() => null);
    if (!site) return;
    await this.removeProofs(site, order.id);
    // A renewal continues without a name that no longer points here.
    const left = order.names.filter((name) => name !== params.name);
    if (order.isRenewal && OF_NAME.includes(kind) && left.length > 0 && left.length < order.names.length) {
      await this.notices.nameLost(site.account, order, params.name!, kind, params);
      await this.orders.open(order.accountId, left, order.directory, true);
      return;
    }
    const failures = order.isRenewal ? await this.repository.renewalFailed(order.accountId) : 0;
    // Notify once when renewals begin to fail, not on every attempt.
    if (failures <= 1) await this.notices.failed(site.account, order, kind, params);
  }
}

/** Returns the {@link AcmeProblem} behind an error; null for an unexpected error. */
export function asProblem(error: unknown): AcmeProblem | null {
  if (error instanceof AcmeProblem) return error;
  if (!(error instanceof HostingError)) return null;
  // An unreachable server may answer later; whether the site still exists is decided by its rows.
  const isUnreachable = error.code === 'NODE_UNREACHABLE' || error.code === 'NODE_SILENT';
  return new AcmeProblem(isUnreachable ? 'slow' : 'server', {}, '', null, { cause: error });
}
