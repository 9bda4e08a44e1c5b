import type { FastifyInstance } from 'fastify'
import type { ReportForm } from '#features/moderation/reports-schema.ts'
import { failure } from '#platform/http/errors.ts'

/** What the form sends: the report, and a field that people do not see and programs fill in. */
export interface SentForm extends ReportForm {
  readonly trap: string
}

/** Two texts of 1,000 characters of four bytes, each byte as three characters, and the rest. */
const largestForm = 32_000

/** Forms and nothing else are read here; everywhere else they are refused. */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    ({ headers }, body, done) => {
      const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(headers['content-type'] ?? '')?.[1]
      if (headers['content-encoding'] || (charset && charset.trim().toLowerCase() !== 'utf-8'))
        return done(failure(415))
      done(null, readForm(String(body)))
    },
  )
}

/** A field that is missing is empty; of one that is there twice the first counts. */
export function readForm(body: string): SentForm {
  const fields = new URLSearchParams(body)
  const field = (name: string): string => fields.get(name) ?? ''
  return {
    reason: field('reason'),
    note: field('note'),
    email: field('email'),
    place: field('place'),
    name: field('name'),
    good_faith: field('good_faith'),
    trap: field('website'),
  }
}
