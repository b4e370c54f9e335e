import { DAY_MS } from '../../common/index.js';
import type { MaintenanceWindow } from '../entities/index.js';

const PERIODS = { daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** Fields of a monitor that windows match. */
export interface Watched {
  readonly user: string;
  readonly tags: string;
}

/** Whether a window is open. Repeating windows recur after 24 hours or seven days. */
export function isOpen({ startsAt, endsAt, repeats }: MaintenanceWindow, now: Date): boolean {
  const passed = now.getTime() - startsAt.getTime();
  if (passed < 0) return false;
  const length = endsAt.getTime() - startsAt.getTime();
  return (repeats === 'once' ? passed : passed % PERIODS[repeats]) < length;
}

/** Whether a monitor is in one of these windows. */
export function isResting(windows: readonly MaintenanceWindow[], { user, tags }: Watched, now: Date): boolean {
  return windows.some(
    (window) =>
      (window.user === '' || window.user === user) && (window.tag === '' || tagsOf(tags).includes(window.tag)) && isOpen(window, now),
  );
}

/** Parses comma-separated tags. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
