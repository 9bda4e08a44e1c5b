import type { FastifyInstance } from 'fastify'
import { failure } from '#platform/http/errors.ts'

/** Only forms are parsed in this plugin, as `read` says; everywhere else they are rejected. */
export function readForms(app: FastifyInstance, bodyLimit: number, read: (field: FormField) => unknown): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    ({ headers }, body, done) => {
      const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(headers['content-type'] ?? '')?.[1]
      if (headers['content-encoding'] || (charset && charset.trim().toLowerCase() !== 'utf-8'))
        return done(failure(415))
      done(null, read(fieldsOf(String(body))))
    },
  )
}

export type FormField = (name: string) => string

/** A missing field is empty; of repeated fields the first counts. */
export function fieldsOf(body: string): FormField {
  const fields = new URLSearchParams(body)
  return (name) => fields.get(name) ?? ''
}
