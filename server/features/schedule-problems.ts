/** Why a scheduled publication was cancelled by the database; as in `app.schedules`. */
export const scheduleProblems = [
  'changed',
  'address',
  'deleted',
  'review',
  'suspended',
  'account',
  'limit',
  'original',
] as const
export type ScheduleProblem = (typeof scheduleProblems)[number]
