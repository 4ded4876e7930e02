/** How close a pool is to its last free address, the best level first. */
export type FillLevel = 'ample' | 'filling' | 'nearly full' | 'full';

/**
 * The levels before `full`: at least `percent` of the usable addresses are in use, or fewer than
 * `days` are left until none is free. The plan, the page, the terminal, the alerts and the
 * dashboard share them.
 */
export const fillThresholds = {
  filling: { percent: 80, days: 60 },
  'nearly full': { percent: 90, days: 14 },
} as const;

/** The level of a pool; `daysLeft` is the forecast, when there is one. */
export function fillLevelOf(percent: number, daysLeft = Number.POSITIVE_INFINITY): FillLevel {
  const isPast = (level: keyof typeof fillThresholds) =>
    percent >= fillThresholds[level].percent || daysLeft < fillThresholds[level].days;
  if (percent >= 100) return 'full';
  if (isPast('nearly full')) return 'nearly full';
  return isPast('filling') ? 'filling' : 'ample';
}
