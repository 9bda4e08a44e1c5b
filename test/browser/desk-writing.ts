import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { until } from '../../testkit/until.ts'
import type { DeskSite, Visitor } from './desk-site.ts'

/** A writer at the desk, with a piece to write. */
export interface WriterAtDesk extends Visitor {
  readonly writer: MadeWriter
  /** By the desk's API, as a page of it would ask. */
  ask(method: string, path: string, data?: object, headers?: Record<string, string>): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown> & { readonly piece: Record<string, unknown> & { readonly id: string } }
}

export async function writerAtDesk(site: DeskSite, name = 'Mary Anning'): Promise<WriterAtDesk> {
  const writer = await makeWriter(site.admin, { name })
  const visitor = await site.visit()
  await visitor.context.addCookies([{ name: 'desk', value: writer.sessionToken, url: site.base, httpOnly: true }])
  return {
    ...visitor,
    writer,
    ask: async (method, path, data, headers = {}) => {
      // On a loaded machine the server may be too busy to let anyone in; that is no answer to what was asked.
      const answer = await until(async () => {
        const one = await visitor.context.request.fetch(`${site.base}/desk/api${path}`, {
          method,
          headers: { origin: site.base, ...headers },
          ...(data ? { data } : {}),
        })
        return one.status() !== 503 && one
      }, `${path} is answered by a server that is not busy`)
      return { status: answer.status(), body: await answer.json().catch(() => ({})) }
    },
  }
}

/** Waits until the status line says that the server has everything. */
export const saved = (page: Visitor['page']): Promise<void> => page.getByText(/Saved (just now|\d+ s ago) on/).waitFor()
