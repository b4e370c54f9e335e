import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work between two turns of the event loop, in milliseconds. */
const SLICE_MS = 1;

/** Lets others have their turn between pieces of long work. */
export class TimeSlice {
  private begun = performance.now();

  /** Whether it is somebody else's turn: then {@link rest} is awaited. */
  get isOver(): boolean {
    return performance.now() - this.begun > SLICE_MS;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.begun = performance.now();
  }
}

/** Lets many short works share turns of the event loop: one that comes late in a turn waits for another. */
export class TurnShare {
  /** When the first work of this turn began. */
  private begun: number | null = null;

  /** Waits until a turn has time left. */
  async take(): Promise<void> {
    while (this.begun !== null && performance.now() - this.begun > SLICE_MS) await nextTurn();
    if (this.begun !== null) return;
    this.begun = performance.now();
    setImmediate(() => (this.begun = null));
  }
}
