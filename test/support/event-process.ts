import { ormOptions } from '../../ormconfig.js';
import { CallDeadlines, Faults, PluginCalls } from '../../src/common/index.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import {
  DELIVERY_SETTINGS,
  DeadLetters,
  DurableEvent,
  DurableListeners,
  EventDelivery,
  EventDispatcher,
  EventListener,
  EventOutbox,
  type DeliverySettings,
} from '../../src/hooks/index.js';
import type { TestPlace } from './database.js';
import type { ManualClock } from './manual-clock.js';

/** Durable events of one process; several instances on the same database simulate several processes. */
export class EventProcess {
  readonly outbox: EventOutbox;
  readonly listeners: DurableListeners;
  readonly dispatcher: EventDispatcher;
  readonly deadLetters: DeadLetters;
  readonly faults = new Faults();

  constructor(
    readonly database: Database,
    readonly clock: ManualClock,
    settings: Partial<DeliverySettings> = {},
    deadlines: Partial<CallDeadlines> = {},
  ) {
    const calls = new PluginCalls(Object.assign(new CallDeadlines(), deadlines), this.faults);
    this.outbox = new EventOutbox(database, clock);
    this.listeners = new DurableListeners(database, clock);
    this.dispatcher = new EventDispatcher(database, clock, this.outbox, this.listeners, { ...DELIVERY_SETTINGS, ...settings }, calls);
    this.deadLetters = new DeadLetters(database, clock, this.dispatcher);
  }

  /** Records `host.paused` of a host, as the code that pauses it does. */
  emit(host: number, number: number): Promise<number> {
    return this.database.transaction(() =>
      this.outbox.record({
        hook: 'host.paused',
        subject: `host:${host}`,
        source: 'admin',
        args: [`user${host}`, number],
        row: { id: host, number },
      }),
    );
  }

  /** Advances the clock and waits until everything due is delivered. */
  async pass(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    this.dispatcher.wake();
    await this.dispatcher.idle();
  }

  /** Stops without waiting, like a killed process. */
  kill(): void {
    void this.dispatcher.stop();
  }
}

/** Opens a second connection to the same database, as another process does. */
export async function connectAgain(place: TestPlace): Promise<Database> {
  const database = createDatabase(ormOptions(place.config));
  await database.dataSource.initialize();
  return database;
}

/** Deletes all events, deliveries and listeners. */
export async function clearEvents(database: Database): Promise<void> {
  for (const entity of [EventDelivery, DurableEvent, EventListener]) {
    await database.dataSource.manager.createQueryBuilder().delete().from(entity).execute();
  }
}

/** Returns a promise and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
