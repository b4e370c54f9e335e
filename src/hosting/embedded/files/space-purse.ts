import { FileProblem, type SpaceMeter } from '../../driver/index.js';

/** What is taken at once, in bytes: asking for every block would cost more than writing it. */
const BLOCK = 1024 * 1024;

/** The space one action takes: all that was taken is either used in the end, or given back. */
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
   * Runs an action. What it took and does not use is given back, and everything where it fails.
   *
   * @param work returns how many bytes became free by it, with what it comes to
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
