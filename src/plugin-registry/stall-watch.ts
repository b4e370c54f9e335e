import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Faults, PluginCalls, watchStalls, type Stall } from '../common/index.js';

import { PluginError } from './errors.js';
import { CrashMarks } from './runtime/crash-marks.js';

/** Records stalls of the event loop as faults of the plugin that caused them. */
@Injectable()
export class StallWatch implements OnApplicationShutdown {
  private stop: () => Promise<void> = async () => undefined;

  constructor(
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly marks: CrashMarks,
  ) {}

  /** Starts the watchdog. */
  start(): void {
    this.stop = watchStalls((stall) => this.record(stall), { mark: this.marks.stallFile });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private record({ culprit, milliseconds }: Stall): void {
    if (!culprit || !this.calls.knows(culprit.owner)) return;
    // Synchronous listeners are only timed by sampling, which may have missed this call.
    this.calls.place(culprit.owner, culprit.place).noteLongest(milliseconds);
    this.faults.strike(culprit.owner, 'stall', culprit.place, new PluginError('STALLED', { milliseconds }));
  }
}
