import type { Database } from '../db/database.ts'
import type { WaitingJobs } from '../observability/services.ts'

/** What is put off is not due before its time; what failed has waited since it was ordered. */
export const waitingJobsIn = (db: Database): Promise<readonly WaitingJobs[]> =>
  db.run<WaitingJobs>({
    text: `select name as job, count(*)::integer as count,
                  max(extract(epoch from now() - case state when 'retry' then created_on else start_after end))::double precision as longest
             from jobs.job
            where state < 'active' and name <> 'dead' and (state = 'retry' or start_after <= now())
            group by name`,
  })
