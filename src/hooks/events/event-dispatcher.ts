import { AsyncResource } from 'node:async_hooks';

import { Inject, Injectable, Optional, type OnModuleDestroy } from '@nestjs/common';

import { Clock, errorMessage, IdleWaiters, loggerFor, PluginCalls, waitAtMost } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

import { DeliveryQueue, type DueDelivery } from './delivery-queue.js';
import { DeliveryRun, ListenerRemoved } from './delivery-run.js';
import { deliveryBackoff, DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.js';
import { DurableListeners } from './durable-listeners.js';
import { EventOutbox } from './event-outbox.js';

/** Injection token of {@link DeliverySettings}; {@link DELIVERY_SETTINGS} by default. */
export const DELIVERY_SETTINGS_TOKEN = Symbol('DeliverySettings');

/** Number of due deliveries read at a time. */
const BATCH = 200;

/**
 * Delivers recorded events to the listeners of this process: after each commit, when listeners become ready, when a retry is due, and every
 * two seconds, because another process may have recorded one. Delivery is at least once per listener; exactly once if nothing fails and no
 * process crashes.
 *
 * Each listener receives the events of one subject in order, and so does each owner across hooks: `host.paused` waits until every listener
 * of `host.created` in the same plugin has finished, or its delivery is dead (a dead letter holds nothing back; if it is sent again, it
 * arrives late). The listeners of one event get their first attempts one after another, by ascending priority, then in the order they were
 * first registered. A failed one is retried independently: the other listeners of its hook, other owners and other subjects do not wait for
 * it.
 *
 * Any number of processes may deliver from one database: a conditional update claims a delivery, and a lease that is renewed while the
 * listener runs shows that the process is alive. Deliveries whose listener is not registered in this process are left to others.
 */
@Injectable()
export class EventDispatcher implements OnModuleDestroy {
  private readonly log = loggerFor('events');
  private readonly queue: DeliveryQueue;
  private readonly runs = new Map<number, DeliveryRun>();
  private readonly ends = new Set<Promise<void>>();
  private readonly schedulePass: () => void;
  private started = false;
  private passScheduled = false;
  private passing = false;
  private passAgain = false;
  private retryTimer: NodeJS.Timeout | undefined;
  private renewalTimer: NodeJS.Timeout | undefined;
  private readonly idleWaiters = new IdleWaiters(() => this.quiet);

  constructor(
    database: Database,
    private readonly clock: Clock,
    outbox: EventOutbox,
    private readonly listeners: DurableListeners,
    @Optional() @Inject(DELIVERY_SETTINGS_TOKEN) private readonly settings: DeliverySettings = DELIVERY_SETTINGS,
    @Optional() private readonly calls: PluginCalls = new PluginCalls(),
  ) {
    this.queue = new DeliveryQueue(database, clock, settings);
    // Bound here, so that a listener does not inherit the request, plugin or transaction of the code that happened to commit.
    this.schedulePass = AsyncResource.bind(() => void setImmediate(() => void this.pass()));
    outbox.onCommitted(() => this.wake());
    listeners.onReady(() => this.wake());
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** Starts delivering, beginning with what an earlier process left behind. */
  start(): void {
    if (this.started) return;
    this.started = true;
    this.renewalTimer = setInterval(() => void this.renewLeases(), this.settings.renewal).unref();
    this.wake();
  }

  /** Starts no further listeners and waits, at most {@link DeliverySettings.shutdown}, for running ones. */
  async stop(): Promise<void> {
    this.started = false;
    clearTimeout(this.retryTimer);
    if (!(await waitAtMost(this.idle(), this.settings.shutdown))) {
      const listeners = [...this.runs.values()].map((run) => run.listener.key);
      this.log.warn({ listeners }, 'listeners were still running at shutdown; they run again when their lease expires');
    }
    clearInterval(this.renewalTimer);
  }

  /** Schedules a check for due deliveries; returns immediately. */
  wake(): void {
    if (!this.started) return;
    if (this.passing) this.passAgain = true;
    else if (!this.passScheduled) {
      this.passScheduled = true;
      this.schedulePass();
    }
  }

  /** Runs every minute: writes off deliveries that no listener will ever take, and checks for due ones. */
  @Job({ name: 'event-sweep', everyMinutes: 1 })
  async sweep(): Promise<void> {
    await this.listeners.writeOffOrphaned();
    this.wake();
  }

  /** Resolves when nothing is running and nothing more is due for the listeners of this process. */
  idle(): Promise<void> {
    return this.idleWaiters.wait();
  }

  /** Extends the claims of running listeners; runs by timer. Listeners that never end are stopped by their deadline. */
  async renewLeases(): Promise<void> {
    for (const run of [...this.runs.values()]) {
      const { id, eventId } = run.delivery;
      const context = { plugin: run.listener.owner, listener: run.listener.key, event: eventId };
      try {
        if (!(await this.queue.renew(run.delivery)) && this.runs.has(id)) this.log.warn(context, 'the lease of a listener was lost');
      } catch (error) {
        this.log.error({ ...context, err: error }, 'the lease of a listener could not be renewed');
      }
    }
    if (this.runs.size > 0) this.wake();
  }

  private get quiet(): boolean {
    return !this.passScheduled && !this.passing && this.runs.size === 0;
  }

  private age(run: DeliveryRun): number {
    return this.clock.now().getTime() - run.startedAt.getTime();
  }

  /** Number of runs that count towards the concurrency limit; long ones free their slot. */
  private get load(): number {
    let load = 0;
    for (const run of this.runs.values()) if (this.age(run) < this.settings.slowAfter) load += 1;
    return load;
  }

  private async pass(): Promise<void> {
    this.passScheduled = false;
    this.passing = true;
    try {
      do {
        this.passAgain = false;
        await this.startDue();
      } while (this.passAgain && this.started);
      await this.armTimer();
    } catch (error) {
      this.log.error({ err: error }, 'due events could not be read; trying again soon');
      this.setTimer(this.settings.backoff[0]!);
    } finally {
      this.passing = false;
      if (this.passAgain) this.wake();
      this.idleWaiters.check();
    }
  }

  private async startDue(): Promise<void> {
    const free = this.settings.concurrency - this.load;
    const keys = this.listeners.keys();
    if (free <= 0 || keys.length === 0) return;
    const firstAttempts = new Set<number>();
    for (const due of await this.queue.due(keys, BATCH)) {
      if (!this.started || this.load >= this.settings.concurrency) return;
      if (this.runs.has(due.id)) continue;
      if (due.attempts === 0) {
        if (firstAttempts.has(due.eventId)) continue;
        firstAttempts.add(due.eventId);
      }
      await this.startOne(due);
    }
  }

  private async startOne(due: DueDelivery): Promise<void> {
    const listener = this.listeners.find(due.listenerKey);
    if (!listener) return;
    if (due.state === 'running' && due.attempts >= this.settings.attemptLimit) {
      await this.queue.deadLetter(due.id, due.attempts, 'The process ended while the listener ran.');
      this.passAgain = true;
      return;
    }
    const delivery = await this.queue.claim(due);
    if (!delivery) return;
    const isRegistered = (): boolean => this.listeners.find(due.listenerKey) === listener;
    const run = new DeliveryRun(delivery, listener, this.clock.now(), this.calls, () => this.queue.event(delivery.eventId), isRegistered);
    this.runs.set(delivery.id, run);
    const end = this.awaitEnd(run).finally(() => {
      this.ends.delete(end);
      this.runs.delete(delivery.id);
      this.wake();
      this.idleWaiters.check();
    });
    this.ends.add(end);
  }

  /** Waits for a run to end and stores its outcome; never rejects. */
  private async awaitEnd(run: DeliveryRun): Promise<void> {
    const { delivery, listener } = run;
    const context = { plugin: listener.owner, listener: listener.key, event: delivery.eventId, attempt: delivery.attempt };
    try {
      let failure: { error: unknown } | null = null;
      try {
        await run.outcome;
      } catch (error) {
        if (error instanceof ListenerRemoved) return void (await this.queue.postpone(delivery, this.clock.now(), ''));
        failure = { error };
        this.log.error({ ...context, err: error }, 'a listener failed');
        this.calls.faults.note(listener.owner, `listener of ${listener.hook}`, error);
      }
      const written = failure ? await this.writeFailure(run, failure.error) : await this.queue.finish(delivery);
      if (!written) this.log.warn(context, 'a listener ended after its lease was lost; it may run twice');
    } catch (error) {
      this.log.error({ ...context, err: error }, 'the outcome of a listener could not be stored; it runs again when its lease expires');
    }
  }

  private writeFailure(run: DeliveryRun, error: unknown): Promise<boolean> {
    const { delivery } = run;
    const text = errorMessage(error) || 'The listener failed without an error message.';
    if (delivery.attempt >= this.settings.attemptLimit) return this.queue.deadLetter(delivery.id, delivery.attempt, text);
    const dueAt = new Date(this.clock.now().getTime() + deliveryBackoff(delivery.attempt, this.settings));
    return this.queue.postpone(delivery, dueAt, text);
  }

  private async armTimer(): Promise<void> {
    if (!this.started) return;
    const now = this.clock.now().getTime();
    const next = await this.queue.nextDue(this.listeners.keys(), new Date(now + this.settings.sweep));
    this.setTimer(next ? next.getTime() - now : this.settings.sweep);
  }

  private setTimer(milliseconds: number): void {
    clearTimeout(this.retryTimer);
    if (this.started) this.retryTimer = setTimeout(() => this.wake(), milliseconds).unref();
  }
}
