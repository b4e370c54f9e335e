import { errorMessage } from '../common/index.js';
import type { TemplatePath } from './names.js';
import type { ThemePackage } from './theme-package.js';

/** What ends a template that takes more time, memory or room than it may. */
const LIMIT = /limit .*exceeded/;
/** So often in a row a view may take too much before it is set aside. */
const TRIES = 3;
/** How long, in milliseconds. */
const SET_ASIDE = 600_000;

interface Slowness {
  times: number;
  /** When it was last tried, as `performance.now()` has it. */
  at: number;
}

/**
 * Views of themes that took too much. Each try keeps the whole process busy until it is stopped, so one that never ends is not tried at
 * every request: after three times in a row its stand-in comes at once, for ten minutes or until the theme's files are read again.
 */
export class SlowViews {
  private readonly views = new WeakMap<ThemePackage, Map<TemplatePath, Slowness>>();

  /** Whether a view is not to be tried now. */
  isSetAside(theme: ThemePackage, view: TemplatePath): boolean {
    const slow = this.views.get(theme)?.get(view);
    return slow !== undefined && slow.times >= TRIES && performance.now() - slow.at < SET_ASIDE;
  }

  /** A view ended in time. */
  rendered(theme: ThemePackage, view: TemplatePath): void {
    this.views.get(theme)?.delete(view);
  }

  /** A view failed; what counts is that it took more than it may. */
  failed(theme: ThemePackage, view: TemplatePath, error: unknown): void {
    if (!LIMIT.test(errorMessage(error))) return;
    let views = this.views.get(theme);
    if (!views) this.views.set(theme, (views = new Map()));
    views.set(view, { times: (views.get(view)?.times ?? 0) + 1, at: performance.now() });
  }
}
