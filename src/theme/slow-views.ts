import { errorMessage } from '../common/index.js';
import type { TemplatePath } from './names.js';
import type { ThemePackage } from './theme-package.js';

/** Matches errors of exceeded time, memory or size limits. */
const LIMIT = /limit .*exceeded/;
/** Consecutive failures after which a view is disabled. */
const MAX_FAILURES = 3;
/** How long it is disabled, in milliseconds. */
const DISABLED_MS = 600_000;

interface Slowness {
  times: number;
  /** Last attempt, in `performance.now()` time. */
  at: number;
}

/**
 * Views of themes that exceeded limits. Each attempt blocks the whole process until it is stopped, so a view that never ends must not be
 * retried on every request: after three consecutive failures its fallback is used directly, for ten minutes or until the theme is reloaded.
 */
export class SlowViews {
  private readonly views = new WeakMap<ThemePackage, Map<TemplatePath, Slowness>>();

  /** Returns whether a view is currently disabled. */
  isDisabled(theme: ThemePackage, view: TemplatePath): boolean {
    const slow = this.views.get(theme)?.get(view);
    return slow !== undefined && slow.times >= MAX_FAILURES && performance.now() - slow.at < DISABLED_MS;
  }

  /** Records that a view was rendered within the limits. */
  rendered(theme: ThemePackage, view: TemplatePath): void {
    this.views.get(theme)?.delete(view);
  }

  /** Records a failure; only exceeded limits count. */
  failed(theme: ThemePackage, view: TemplatePath, error: unknown): void {
    if (!LIMIT.test(errorMessage(error))) return;
    let views = this.views.get(theme);
    if (!views) this.views.set(theme, (views = new Map()));
    views.set(view, { times: (views.get(view)?.times ?? 0) + 1, at: performance.now() });
  }
}
