import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../common/index.js';

const MAX_NOTICES = 50;
const log = loggerFor('theme');

/** A defect of a theme that was worked around; shown to administrators. */
export interface ThemeNotice {
  theme: string;
  /** `side/view`, or the file. */
  view: string;
  message: string;
  /** Number of occurrences since the process started. */
  count: number;
  /** Last occurrence, ISO 8601. */
  date: string;
}

/** Theme defects found by this process: newest first, at most 50, one per view. */
@Injectable()
export class ThemeNotices {
  private readonly notices = new Map<string, ThemeNotice>();

  constructor(private readonly clock: Clock) {}

  /**
   * Records a defect, replacing the view's earlier one; only the first is logged. A template that exceeds the time limit is
   * stopped at a different place each time.
   */
  record(theme: string, view: string, message: string): void {
    const text = message.split('\n')[0]!.slice(0, 300);
    const key = JSON.stringify([theme, view]);
    const known = this.notices.get(key);
    this.notices.delete(key);
    this.notices.set(key, { theme, view, message: text, count: (known?.count ?? 0) + 1, date: this.clock.now().toISOString() });
    if (!known) log.warn({ theme, view, reason: message }, 'theme template failed, the default theme is used');
    if (this.notices.size > MAX_NOTICES) this.notices.delete(this.notices.keys().next().value!);
  }

  /** Returns the notices, newest first. */
  list(): ThemeNotice[] {
    return [...this.notices.values()].reverse();
  }

  /** Clears the notices of `theme` after it was replaced. */
  clear(theme: string): void {
    for (const [key, notice] of this.notices) if (notice.theme === theme) this.notices.delete(key);
  }
}
