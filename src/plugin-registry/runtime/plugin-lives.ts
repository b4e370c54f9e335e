import { Injectable, type INestApplicationContext } from '@nestjs/common';

import { Faults, PluginCalls, runInFrame } from '../../common/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { permissionText } from '../permission-words.js';
import { PluginNotices } from '../plugin-notices.js';

import { permitsOf } from './node-permits.js';
import { OpenHandles } from './open-handles.js';
import { PluginLife } from './plugin-life.js';
import { RuntimeLimits } from './runtime-limits.js';

/** Begins and ends the {@link PluginLife} of plugins, and reports what goes wrong in it as faults of the plugin. */
@Injectable()
export class PluginLives {
  constructor(
    private readonly faults: Faults,
    private readonly calls: PluginCalls,
    private readonly notices: PluginNotices,
    private readonly handles: OpenHandles,
    private readonly limits: RuntimeLimits,
  ) {}

  /** Makes a life for a plugin that starts now; faults of an earlier one are forgotten. */
  begin(plugin: PluginPackage): PluginLife {
    const { slug } = plugin;
    this.faults.startAnew(slug);
    this.calls.forget(slug);
    return new PluginLife(
      slug,
      (what, error) => this.faults.strike(slug, 'crash', what, error),
      (work) => this.calls.note(this.calls.place(slug, 'process listener'), () => runInFrame({ owner: slug }, work)),
      (work) => this.calls.note(this.calls.place(slug, 'timer'), work),
      permitsOf(plugin, (permission, module) =>
        this.notices.add(slug, 'plugins.notice.unsaid', { module, words: permissionText(permission) }),
      ),
    );
  }

  /**
   * Ends a life whose start failed, with everything it had registered or started.
   *
   * @param fault reported as a fault of the plugin; null if the start was cancelled
   */
  async abort(life: PluginLife, context: INestApplicationContext | undefined, fault: unknown): Promise<void> {
    if (fault !== null) this.faults.report(life.slug, 'activation', fault);
    this.takeBack(life);
    await this.end(life, context);
  }

  /** Removes what the plugin registered, so that no new call reaches it. */
  takeBack(life: PluginLife): void {
    for (const error of life.takeBack()) this.faults.report(life.slug, 'taking back a registration', error);
  }

  /**
   * Waits for running calls to end.
   *
   * @param milliseconds the longest wait
   * @returns how many calls still run
   */
  drain(life: PluginLife, milliseconds: number = this.limits.drain): Promise<number> {
    return life.drain(milliseconds);
  }

  /** Ends a life: stop callbacks and shutdown hooks of modules first, within their deadline, then everything it has open. Never rejects. */
  async end(life: PluginLife, context?: INestApplicationContext): Promise<void> {
    const { slug } = life;
    const stop = async (): Promise<void> => {
      for (const error of await life.runStopCallbacks()) this.faults.report(slug, 'onStop', error);
      await context?.close();
    };
    try {
      await this.calls.run(this.calls.place(slug, 'shutdown'), { kind: 'action', deadline: this.limits.shutdown }, stop);
    } catch (error) {
      this.faults.report(slug, 'shutdown', error);
    } finally {
      life.end();
      this.handles.close(slug);
    }
  }
}
