import assert from 'node:assert/strict'
import { renderEmail } from '../../server/features/emails/templates.ts'
import { type Jobs, readPayload } from '../../server/features/jobs.ts'
import { sendDecisionEmail } from '../../server/features/moderation/decisions.ts'
import { translatorOf } from '../../server/messages/translator.ts'
import { anyAddress } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeProduct, makeWriter } from '../../testkit/factories.ts'

/** A site with a writer, two moderators and the worker that sends what they decide. */
export async function appealsSite() {
  const { url, admin, app } = await testSite()
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
  const [mo, kim] = [await makeModerator(admin), await makeModerator(admin)]
  const [writer, first, second] = [deskOf(app, ada), deskOf(app, mo), deskOf(app, kim)]
  const worker = workerDatabase(url)

  async function ok(answer: ReturnType<Desk['ask']>) {
    const { statusCode, body, json } = await answer
    assert.equal(statusCode, 200, body)
    return json()
  }

  return {
    ...{ url, admin, app, ada, mo, kim, writer, first, second, worker, ok },

    async report(path: string, form: Record<string, string> = {}): Promise<void> {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: `/desk/report/${path}`,
        remoteAddress: anyAddress(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        payload: new URLSearchParams({ reason: 'spam', ...form }).toString(),
      })
      assert.equal(statusCode, 303, body)
    },

    /** A piece that is taken down by the first moderator, with its decision. */
    async takenDown(given: object = {}, by = first) {
      const id = await makePiece(admin, ada, { headline: 'On tea' })
      const { decision } = await ok(by.act('take_down', id, given))
      return { id, decision: decision as string }
    },

    async listingTakenDown(name = 'A lamp', by = first) {
      const id = await makeProduct(admin, ada, { name })
      const given = { category: 'spam', reason: 'It does not exist.' }
      const { decision } = await ok(by.ask('POST', `review/listings/${id}/take-down`, given))
      return { id, decision: decision as string, slug: name.toLowerCase().replaceAll(' ', '-') }
    },

    appeal: (decision: string, text = 'It is mine.', by = writer) =>
      by.ask('POST', `decisions/${decision}/appeal`, { text }),

    decide: (decision: string, outcome: string, by = second, reason = 'I looked.') =>
      by.ask('POST', `review/decisions/${decision}/decide`, { outcome, reason }),

    /** Sends the queued emails about decisions; returns recipients and texts. */
    async emails(): Promise<{ to: string; subject: string; text: string }[]> {
      const { rows } = await admin.query<{ id: string; data: Jobs['decision.email'] }>(
        "delete from jobs.job where name = 'decision.email' returning id, data",
      )
      const sent: { to: string; subject: string; text: string }[] = []
      for (const { id, data } of rows) {
        assert.ok(readPayload('decision.email', data))
        const send = async (to: string, order: { template: string; params: unknown }) => {
          const rendered = renderEmail(order, { name: 'The site', base: 'https://site.test' }, translatorOf('en'))
          assert.ok(rendered, JSON.stringify(order))
          sent.push({ to, subject: rendered.subject, text: rendered.text })
        }
        await sendDecisionEmail(worker, send, data, id)
      }
      return sent
    },

    async emailOf({ accountId }: { accountId: string }): Promise<string> {
      return (await admin.query('select email from app.accounts where id = $1', [accountId])).rows[0].email
    },

    isPublic: async (id: string): Promise<boolean> => (await app.inject(`/api/public/pieces/${id}`)).statusCode === 200,
  }
}
