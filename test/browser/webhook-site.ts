import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { readConfig } from '../../server/config/config.ts'
import { startWorker } from '../../server/main/worker.ts'
import { silentLog } from '../../testkit/log.ts'
import { type Receiver, startReceiver } from '../../testkit/receivers.ts'
import { type DeskSite, openDeskSite, type Visitor } from './desk-site.ts'

/** A desk with a real worker behind it, and real receivers it may call. */
export interface WebhookSite extends DeskSite {
  readonly receivers: readonly Receiver[]
  /** A writer with a live webhook, on their integrations page. */
  withWebhook(name: string, receiver: Receiver): Promise<Visitor & { readonly email: string }>
  /** As if some seconds had passed: a receiver is not called more often. */
  letPingsAge(email: string): Promise<unknown>
}

const secretOfTests = 'a-secret-of-tests-that-everybody-knows'

export async function openWebhookSite(count: number): Promise<WebhookSite> {
  const receivers = await Promise.all(Array.from({ length: count }, startReceiver))
  const OUTBOUND_ALLOW = receivers.map(({ host }) => host).join()
  const site = await openDeskSite({ OUTBOUND_ALLOW })
  const settings = { DATABASE_URL: site.databaseUrl, BASE_URL: site.base, OUTBOUND_ALLOW }
  const worker = await startWorker(
    readConfig({ ...settings, AUTH_SECRET: secretOfTests, SECRETS_KEY: secretOfTests }),
    silentLog(),
  )
  after(() => worker.stop())
  return {
    ...site,
    receivers,
    withWebhook: async (name, receiver) => {
      const visitor = await site.signedIn({ name })
      await visitor.ask('PUT', '/webhook', { url: receiver.url })
      await visitor.go(presencePlace)
      await webhookPart(visitor.page).getByText('Live', { exact: true }).waitFor()
      return visitor
    },
    letPingsAge: (email) =>
      site.admin.query(
        `update app.deliveries set created_at = created_at - interval '5 seconds'
          where event = 'webhook.ping' and ${isOf(email)}`,
      ),
  }
}

export const presencePlace = '/desk/edit/online-presence#webhook'
export const logPlace = '/desk/edit/online-presence/deliveries'
export const webhookPart = (page: Page) => page.getByRole('region', { name: 'Webhook', exact: true })

export const isPiece = ({ headers }: Receiver['delivered'][number]): boolean =>
  headers['x-service-event'] === 'piece.published'

/** For SQL: what belongs to this writer. */
export const isOf = (email: string): string =>
  `writer_id = (select w.id from app.writers w join app.accounts a on a.id = w.account_id where a.email = '${email}')`

export async function beginPiece({ ask }: Visitor, headline: string): Promise<string> {
  return (await ask('POST', '/pieces', { headline, body_md: 'They leave *without* us.' })).piece.id
}

export async function publishPiece(visitor: Visitor, headline: string): Promise<string> {
  const id = await beginPiece(visitor, headline)
  const { nonce } = await visitor.ask('POST', `/pieces/${id}/preview`)
  await visitor.ask('POST', `/pieces/${id}/publish`, { nonce })
  return id
}
