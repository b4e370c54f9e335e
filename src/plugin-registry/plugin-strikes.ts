import { AsyncResource } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';

import { Faults, loggerFor, type Strike } from '../common/index.js';

import { Quarantine } from './quarantine.js';
import { CrashMarks } from './runtime/crash-marks.js';

const log = loggerFor('plugins');

/** Counts crashes and hangs of plugins towards quarantine. */
@Injectable()
export class PluginStrikes {
  constructor(
    private readonly faults: Faults,
    private readonly marks: CrashMarks,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * Counts the incidents left by the previous process, and then those of this one.
   *
   * @param isWanted whether a plugin runs here or is starting
   * @param quarantined called when a plugin was quarantined
   */
  async count(isWanted: (slug: string) => boolean, quarantined: () => Promise<void>): Promise<void> {
    // Bound here: a strike is reported from inside the plugin's code, whose request and transaction must not be inherited.
    this.faults.on(
      'strike',
      AsyncResource.bind(
        (strike: Strike) =>
          void this.struck(strike, isWanted, quarantined).catch((error: unknown) =>
            log.error({ err: error, plugin: strike.owner }, 'a strike could not be stored'),
          ),
      ),
    );
    for (const { slug, kind, place, error } of this.marks.takeLeft()) {
      log.error({ plugin: slug, place, reason: error.message }, 'the process ended in a plugin');
      this.faults.note(slug, place, error);
      await this.quarantine.strike(slug, kind, place, error);
    }
  }

  /** Clears the strikes of a plugin when an administrator enables it. */
  async forgive(slug: string): Promise<void> {
    await this.quarantine.clear(slug);
  }

  /** Clears its last fault. */
  clear(slug: string): void {
    this.faults.clear(slug);
  }

  private async struck(
    { owner, kind, place, error }: Strike,
    isWanted: (slug: string) => boolean,
    quarantined: () => Promise<void>,
  ): Promise<void> {
    if (!isWanted(owner)) return;
    if (await this.quarantine.strike(owner, kind, place, error)) await quarantined();
  }
}
