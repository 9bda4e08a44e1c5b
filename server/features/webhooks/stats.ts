import type { Backlog } from '#features/metrics.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { WebhookState } from './schema.ts'

/** State of all webhooks of the site, for operators. */

const backlog =
  'select line as endpoints, ready::integer, later::integer, under_way::integer, longest from app.delivery_figures()'

/** For metrics: one row for webhooks that answer and one for those that fail. */
export const backlogOf = (db: Database): Promise<Backlog[]> => db.run<Backlog>({ text: backlog })

export interface Failing {
  readonly slug: string
  /** Not the whole URL: the path may be a secret between the writer and their server. */
  readonly host: string
  readonly state: WebhookState
  readonly since: Date
  readonly failures: number
  /** Result of the last attempt: `status 500`, `timeout` and so on. */
  readonly last: string | null
}

export interface WebhookStats {
  readonly webhooks: readonly { readonly state: WebhookState; readonly count: number }[]
  readonly backlog: readonly Backlog[]
  /** Pending deliveries that are not being sent. */
  readonly waiting: number
  readonly held: number
  /** Healthy webhooks that have waited for more than a minute; should be 0. */
  readonly late: number
  /** In the last hour. */
  readonly attempts: readonly { readonly outcome: string; readonly count: number }[]
  /** Longest failing first; at most `maxFailingListed` and one more. */
  readonly failing: readonly Failing[]
}

export const maxFailingListed = 50

/** Needs a transaction as the database owner. */
export async function readWebhookStats(owner: Transaction): Promise<WebhookStats> {
  const rows = async <Row extends object>(text: string) => (await owner.query<Row>(text)).rows
  const [counts] = await rows<{ waiting: number; held: number; late: number }>(
    `select (select count(*)::integer from app.deliveries where state = 'pending' and lease_token is null) as waiting,
            (select count(*)::integer from app.deliveries where state = 'held') as held,
            (select count(*)::integer from app.webhooks
              where (failures > 0) = false and ready_at < now() - interval '1 minute') as late`,
  )
  return {
    webhooks: await rows(
      `select state, count(w.writer_id)::integer as count
         from unnest(array['live', 'unproven', 'paused', 'disabled']) with ordinality as s (state, place)
              left join app.webhooks w using (state) group by state, place order by place`,
    ),
    backlog: await rows(backlog),
    ...counts!,
    attempts: await rows(
      `select coalesce(problem, 'delivered') as outcome, count(*)::integer as count from app.delivery_attempts
        where at > now() - interval '1 hour' group by 1 order by 2 desc, 1`,
    ),
    failing: await rows(
      `select a.slug, substring(w.url from '^[a-z]+://([^/?#]+)') as host, w.state, w.failures,
              coalesce(w.failing_since, w.first_failed_at, w.created_at) as since,
              (select coalesce('status ' || d.last_status, d.last_problem) from app.deliveries d
                where d.writer_id = w.writer_id and d.last_at is not null order by d.last_at desc limit 1) as last
         from app.webhooks w join app.writers a on a.id = w.writer_id
        where w.failures > 0 or w.state = 'disabled' order by since limit ${maxFailingListed + 1}`,
    ),
  }
}
