import type { Config } from '#config/config.ts'
import { urlsFor } from '#features/urls.ts'
import { nearestLanguage, translatorOf } from '#messages/translator.ts'
import { GiveUp } from '#platform/jobs/queue.ts'
import { emailSeconds } from '#platform/observability/dependencies.ts'
import type { Logger } from '#platform/observability/log.ts'
import { oneLine } from './layout.ts'
import { renderEmail } from './templates.ts'
import { type MailError, openTransport } from './transport.ts'

export interface Mailer {
  /**
   * Sends an email, or throws; `GiveUp` if retrying is pointless. `id` is the same for every attempt with the same
   * content. In the recipient's `language` if we speak it, else in the site's.
   */
  send(id: string, to: string, order: { template: string; params: unknown }, language: string | null): Promise<void>
  close(): void
}

/** One address on one line that needs no quoting. Only its server knows whether it exists. */
const addressShape = /^[^\s\p{Cc}<>()[\]\\,;:@"]{1,64}@[^\s\p{Cc}<>()[\]\\,;:@"]{1,255}$/u

export const isEmailAddress = (given: string): boolean => addressShape.test(given)

/** Of people with an account and those who are about to get one. */
export function createMailer(config: Config, log: Logger): Mailer {
  const transport = openTransport(config, log, 2)
  const site = { name: oneLine(config.SITE_NAME), base: urlsFor(config.BASE_URL).base }
  return {
    async send(id, to, order, language) {
      if (!isEmailAddress(to)) throw new GiveUp('the recipient is not a valid email address')
      const t = translatorOf((language && nearestLanguage(language)) || config.SITE_LANGUAGE)
      const email = renderEmail(order, site, t)
      if (email === undefined)
        throw new GiveUp(`there is no email template ${JSON.stringify(order.template)} with these parameters`)
      const start = performance.now()
      const recordOutcome = (outcome: string) => emailSeconds.observe({ outcome }, (performance.now() - start) / 1000)
      // RFC 3834: prevents out-of-office replies.
      const message = { id, to, ...email, headers: { 'Auto-Submitted': 'auto-generated' } }
      await transport.send(message).catch((error: MailError) => {
        const isFinal = error.problem === 'address' || error.problem === 'message'
        recordOutcome(isFinal ? 'refused' : 'failed')
        throw isFinal ? new GiveUp(`permanently rejected: ${error.message}`) : error
      })
      recordOutcome('sent')
    },
    close: () => transport.close(),
  }
}
