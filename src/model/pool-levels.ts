/**
 * When the use of a pool deserves attention. The page, the alerts and the dashboard of
 * docs/monitoring use the same numbers.
 */
export const poolLevels = {
  /** In percent: a pool fuller than this is filling. */
  filling: 80,
  /** In percent: a pool at least as full as this is nearly full. */
  nearlyFull: 90,
  /** A pool that is full in fewer days by the forecast needs addresses now. */
  urgentDays: 14,
  /** A pool that is full in fewer days by the forecast needs addresses soon. */
  soonDays: 60,
} as const;
