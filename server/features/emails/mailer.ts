import { createTransport } from 'nodemailer'
import { type Config, ConfigError } from '#config/config.ts'
import { mailNeeded } from '#config/required-settings.ts'
import { urlsFor } from '#features/urls.ts'
import { nearestLanguage, translatorOf } from '#messages/translator.ts'
import { GiveUp } from '#platform/jobs/queue.ts'
import { emailSeconds } from '#platform/observability/dependencies.ts'
import type { Logger } from '#platform/observability/log.ts'
import { oneLine } from './layout.ts'
import { renderEmail } from './templates.ts'

export interface Mailer {
  /**
   * Sends an email, or throws; `GiveUp` if retrying is pointless. `id` is the same for every attempt with the same
   * content, so that an email sent again after a crash is recognised as a duplicate. In the recipient's `language` if we
   * speak it, else in the site's.
   */
  send(id: string, to: string, order: { template: string; params: unknown }, language: string | null): Promise<void>
  close(): void
}

/** One address on one line that needs no quoting. Only its server knows whether it exists. */
const addressShape = /^[^\s\p{Cc}<>()[\]\\,;:@"]{1,64}@[^\s\p{Cc}<>()[\]\\,;:@"]{1,255}$/u

/** Sends by SMTP or, without SMTP_URL, to the log, where a developer finds the link. */
export function createMailer(config: Config, log: Logger): Mailer {
  if (config.SMTP_URL === undefined && config.NODE_ENV === 'production') {
    throw new ConfigError([mailNeeded()])
  }
  const { hostname } = new URL(config.BASE_URL)
  const from = config.MAIL_FROM ?? { name: '', address: `no-reply@${hostname}` }
  const sender = { name: oneLine(from.name || config.SITE_NAME), address: from.address }
  const site = { name: oneLine(config.SITE_NAME), base: urlsFor(config.BASE_URL).base }
  const transport = config.SMTP_URL === undefined ? undefined : openTransport(config.SMTP_URL)

  return {
    async send(id, to, order, language) {
      if (!addressShape.test(to)) throw new GiveUp('the recipient is not a valid email address')
      const t = translatorOf((language && nearestLanguage(language)) || config.SITE_LANGUAGE)
      const email = renderEmail(order, site, t)
      if (email === undefined)
        throw new GiveUp(`there is no email template ${JSON.stringify(order.template)} with these parameters`)
      if (transport === undefined) {
        log.warn({ event: 'email_failed', subject: email.subject, text: email.text })
        return
      }
      const message = {
        ...email,
        from: sender,
        to: { name: '', address: to },
        messageId: `<${id}@${sender.address.split('@')[1]}>`,
        // RFC 3834: prevents out-of-office replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      const start = performance.now()
      const recordOutcome = (outcome: string) => emailSeconds.observe({ outcome }, (performance.now() - start) / 1000)
      await transport.sendMail(message).catch((error: SmtpError) => {
        const reason = withoutRecipient(error)
        recordOutcome(isFinal(error) ? 'refused' : 'failed')
        throw isFinal(error) ? new GiveUp(`permanently rejected: ${reason}`) : new Error(reason)
      })
      recordOutcome('sent')
    },
    // Emails in progress were returned to the queue.
    close: () => transport?.close({ force: true }),
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** 5xx for this recipient or this message. A rejected sign-in or sender is our configuration and may be fixed. */
const isFinal = ({ command, responseCode = 0 }: SmtpError): boolean =>
  (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500

/**
 * What may be logged of a failure. Servers repeat the address they reject, and nodemailer keeps it in the message: of a
 * response only the codes are logged ("550 5.1.1 to RCPT TO"), and the full message only if no server sent it.
 */
function withoutRecipient({ code, command, response, message }: SmtpError): string {
  if (response === undefined) return code === 'EENVELOPE' ? 'the address is invalid' : message
  const [numbers = 'an unknown code'] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return `the mail server answered ${numbers}${command ? ` to ${command}` : ''}`
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function openTransport(address: string) {
  const url = new URL(address)
  return createTransport({
    url: address,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
    dnsTimeout: 5000,
    // Never sends a password unencrypted.
    requireTLS: url.password !== '' && !loopback.test(url.hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
