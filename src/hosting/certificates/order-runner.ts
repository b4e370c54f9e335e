import { Injectable } from '@nestjs/common';

import { BackgroundTask, type TaskTurn } from '../../jobs/index.js';
import type { CertificateOrder } from '../entities/index.js';
import { type OpenSite, SiteAccess } from '../site-tools/index.js';

import { AcmeProblem } from './acme/index.js';
import { CertificateRepository } from './certificate-repository.js';
import { ORDER_STEPS, ORDER_TASK, CertificateOrderRepository } from './certificate-order-repository.js';
import { asProblem, OrderEnds } from './order-ends.js';
import { type BeginStep, OrderIssuing } from './order-issuing.js';
import { isProofHidden } from './proof-visibility.js';
import { CertificateNames } from './certificate-names.js';

/** Attempts of a task while an authority does not answer, with a backoff of 20 s that doubles: about three quarters of an hour. */
const ATTEMPTS = 8;
const BACKOFF_SECONDS = 20;

/** The order is no longer open: it was cancelled, its site was deleted, or another process completed it. */
class Ended extends Error {}

/**
 * Completes orders. Each step is saved before the next begins, so that any process can continue after a crash. A certificate is used only
 * once all of it was received and validated.
 */
@Injectable()
export class OrderRunner {
  constructor(
    private readonly orders: CertificateOrderRepository,
    private readonly issuing: OrderIssuing,
    private readonly ends: OrderEnds,
    private readonly repository: CertificateRepository,
    private readonly access: SiteAccess,
    private readonly names: CertificateNames,
  ) {}

  @BackgroundTask({ name: ORDER_TASK, attempts: ATTEMPTS, backoffSeconds: BACKOFF_SECONDS, timeoutMinutes: 15, concurrency: 4 })
  async run(payload: unknown, turn: TaskTurn): Promise<void> {
    const order = await this.orders.find((payload as { order: number }).order);
    if (order?.state !== 'open') return;
    try {
      await this.proceed(order, turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (error instanceof Ended) return;
      const problem = asProblem(error);
      if (!problem) throw error;
      if (problem.type === 'accountDoesNotExist') await this.issuing.forget(order.directory);
      await this.ends.handleProblem(order, problem, turn.attempt >= ATTEMPTS);
    }
  }

  private async proceed(order: CertificateOrder, turn: TaskTurn): Promise<void> {
    const begin: BeginStep = async (step, values = {}) => {
      turn.signal.throwIfAborted();
      turn.progress(ORDER_STEPS.indexOf(step), ORDER_STEPS.length);
      if (!(await this.orders.advance(order.id, { step, ...values }))) throw new Ended();
      // The authority would count it as a failed validation.
      if (step === 'proving' && isProofHidden(await this.access.ofHost(order.accountId))) throw new AcmeProblem('stopped');
    };
    const site = await this.access.ofHost(order.accountId);
    // The certificate is stored already, but the previous process may have been killed before installing it.
    if (order.step === 'installing') return this.install(site, order);
    await this.requireWanted(order);
    if (!this.issuing.isOn) throw new AcmeProblem('off');
    const own = await this.names.orderable(site.account);
    const lost = order.names.find((name) => !own.includes(name));
    if (lost !== undefined) throw new AcmeProblem('gone', { name: lost });

    const read = await this.issuing.issue(site, order, this.orders.keyOf(order), begin, turn);
    // One transaction, so that a certificate stored by whoever cancelled the order is not overwritten.
    await this.orders.inTransaction(async () => {
      await this.repository.keep(order.accountId, read, order.directory);
      await begin('installing', { key: null });
    });
    await this.install(site, order);
  }

  /** Ends a renewal whose certificate was replaced or removed by the owner since it was due. @throws Ended */
  private async requireWanted({ id, accountId, isRenewal }: CertificateOrder): Promise<void> {
    if (!isRenewal || (await this.repository.of(accountId))?.source === 'acme') return;
    await this.orders.end(id, 'failed', 'cancelled');
    throw new Ended();
  }

  private async install(site: OpenSite, order: CertificateOrder): Promise<void> {
    if (!(await this.ends.install(site, order))) throw new Ended();
  }
}
