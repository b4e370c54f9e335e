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
