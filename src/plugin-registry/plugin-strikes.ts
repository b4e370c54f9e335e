import { AsyncResource } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';

import { Faults, loggerFor, type Strike } from '../common/index.js';

import { Quarantine } from './quarantine.js';
import { CrashMarks } from './runtime/crash-marks.js';

const log = loggerFor('plugins');

/** Crashes and hangs of plugins, counted towards their quarantine. */
@Injectable()
export class PluginStrikes {
  constructor(
    private readonly faults: Faults,
    private readonly marks: CrashMarks,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * Counts those the process before left, and from now on those of this one.
   *
   * @param isWanted whether a plugin runs here, or is about to
   * @param quarantined called when one was put into quarantine
   */
  async count(isWanted: (slug: string) => boolean, quarantined: () => Promise<void>): Promise<void> {
    // Bound here: a strike comes from inside the plugin's code, whose request and transaction are none of ours.
    this.faults.on(
      'strike',
      AsyncResource.bind(
        (strike: Strike) =>
          void this.struck(strike, isWanted, quarantined).catch((error: unknown) =>
            log.error({ err: error, plugin: strike.owner }, 'a strike could not be written down'),
          ),
      ),
    );
    for (const { slug, kind, place, error } of this.marks.takeLeft()) {
      log.error({ plugin: slug, place, reason: error.message }, 'the process ended in a plugin');
      this.faults.note(slug, place, error);
      await this.quarantine.strike(slug, kind, place, error);
    }
  }

  /** Forgets the strikes of a plugin somebody enables. */
  async forgive(slug: string): Promise<void> {
    await this.quarantine.clear(slug);
  }

  /** Forgets what went wrong in it last. */
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
