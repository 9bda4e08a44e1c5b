import type { Send } from '#features/accounts/mail.ts'
import type { Database } from '#platform/db/database.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { LetterOrder } from '#platform/mail/templates.ts'
import type { Category } from './categories.ts'
import { ruleOf } from './decisions.ts'
import type { Decision, Outcome } from './decisions-schema.ts'

interface EmailRow {
  readonly email: string
  readonly act: Decision['act']
  readonly headline: string
  readonly to_status: string
  readonly category: Category
  readonly facts: string
  readonly by_report: boolean
  readonly was_appealed: boolean
  readonly outcome: Outcome | null
  readonly answer: string | null
  readonly appeal_until: Date
}

/** The worker's part: what the email quotes is read when it goes out, and never lies in the queue. */
export async function sendDecisionEmail(
  worker: Database,
  send: Send,
  { decision, to }: Jobs['decision.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({
    text: 'select * from app.decision_email($1, $2)',
    values: [decision, to],
  })
  const order = row && orderOf(row, decision, to)
  if (order) await send(row.email, order, id)
}

function orderOf(row: EmailRow, decision: string, to: 'writer' | 'moderator'): LetterOrder | undefined {
  const { act, headline, facts, by_report, was_appealed, outcome, answer } = row
  if (to === 'writer' && outcome === null) {
    const [rule, until] = [ruleOf(row.category), row.appeal_until.toISOString()]
    return { letter: 'decision', params: { decision, act, headline, rule, facts, by_report, until } }
  }
  if (outcome === null || answer === null) return undefined
  return to === 'writer'
    ? { letter: 'decision-reviewed', params: { decision, act, headline, outcome, answer, was_appealed } }
    : { letter: 'appeal-decided', params: { decision, headline, outcome, answer } }
}
