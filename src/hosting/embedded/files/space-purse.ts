import { FileProblem, type SpaceMeter } from '../../driver/index.js';

/** Bytes reserved at a time: reserving for every block would cost more than writing it. */
const BLOCK = 1024 * 1024;

/** Tracks the space one action reserves: everything reserved is either used or released in the end. */
export class SpacePurse {
  private held = 0;
  private used = 0;

  constructor(private readonly meter: SpaceMeter) {}

  /** @throws FileProblem NO_SPACE */
  async take(bytes: number): Promise<void> {
    const lacking = bytes - this.held;
    if (lacking > 0) {
      const wanted = Math.max(lacking, BLOCK);
      if (await this.meter.take(wanted)) this.held += wanted;
      else if (lacking < wanted && (await this.meter.take(lacking))) this.held += lacking;
      else throw new FileProblem('NO_SPACE');
    }
    this.held -= bytes;
    this.used += bytes;
  }

  /**
   * Runs an action. Unused reservations are released at the end; if it fails, everything it reserved is released.
   *
   * @param work returns its value and the number of bytes it freed
   */
  static async spend<T>(meter: SpaceMeter, work: (purse: SpacePurse) => Promise<{ value: T; freed: number }>): Promise<T> {
    const purse = new SpacePurse(meter);
    try {
      const { value, freed } = await work(purse);
      await meter.giveBack(purse.held + freed);
      return value;
    } catch (error) {
      await meter.giveBack(purse.held + purse.used);
      throw error;
    }
  }
}
