import { createTransport } from 'nodemailer'
import { type Config, ConfigError } from '../config.ts'
import { GiveUp } from '../jobs/jobs.ts'
import type { Logger } from '../observability/log.ts'
import { emailSeconds } from '../observability/services.ts'
import { mailNeeded } from '../required-settings.ts'
import { urlsFor } from '../urls.ts'
import { oneLine } from './layout.ts'
import { writeLetter } from './templates.ts'

export interface Mailer {
  /**
   * Sends a letter, or throws: `GiveUp` where another try would change nothing. `id` is the same at every try with the
   * same words, so that a letter that went out before a crash and goes out again is seen to be the same one.
   */
  send(id: string, to: string, order: { letter: string; params: unknown }): Promise<void>
  close(): void
}

/** One address, in one line, that needs no quoting. Whether it exists only its server knows. */
const addressShape = /^[^\s\p{Cc}<>()[\]\\,;:@"]{1,64}@[^\s\p{Cc}<>()[\]\\,;:@"]{1,255}$/u

/** By SMTP, or, without an address for it, into the log: there a developer finds the link to click. */
export function createMailer(config: Config, log: Logger): Mailer {
  if (config.SMTP_URL === undefined && config.NODE_ENV === 'production') {
    throw new ConfigError([mailNeeded])
  }
  const { hostname } = new URL(config.BASE_URL)
  const from = config.MAIL_FROM ?? { name: '', address: `no-reply@${hostname}` }
  const sender = { name: oneLine(from.name || config.SITE_NAME), address: from.address }
  const site = { name: oneLine(config.SITE_NAME), base: urlsFor(config.BASE_URL).base }
  const transport = config.SMTP_URL === undefined ? undefined : openTransport(config.SMTP_URL)

  return {
    async send(id, to, order) {
      if (!addressShape.test(to)) throw new GiveUp('this is not an address a letter can go to')
      const letter = writeLetter(order, site)
      if (letter === undefined)
        throw new GiveUp(`there is no letter ${JSON.stringify(order.letter)} with these parameters`)
      if (transport === undefined) {
        log.warn({ event: 'email_failed', subject: letter.subject, text: letter.text })
        return
      }
      const message = {
        ...letter,
        from: sender,
        to: { name: '', address: to },
        messageId: `<${id}@${sender.address.split('@')[1]}>`,
        // RFC 3834: no out-of-office notes, please.
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      const start = performance.now()
      const tell = (outcome: string) => emailSeconds.observe({ outcome }, (performance.now() - start) / 1000)
      await transport.sendMail(message).catch((error: SmtpError) => {
        const words = withoutRecipient(error)
        tell(isFinal(error) ? 'refused' : 'failed')
        throw isFinal(error) ? new GiveUp(`refused for good: ${words}`) : new Error(words)
      })
      tell('sent')
    },
    // What is still under way has been given back to the queue.
    close: () => transport?.close({ force: true }),
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
}

/** 5xx for this recipient or this letter. A refused sign-in or sender is about us, and may be mended. */
const isFinal = ({ command, responseCode = 0 }: SmtpError): boolean =>
  (command === 'RCPT TO' || command === 'DATA') && responseCode >= 500

/**
 * What may be logged of a failure. Servers repeat the address they refuse, and nodemailer keeps it beside the words: of
 * an answer only its numbers are told ("550 5.1.1 to RCPT TO"), and in full what no server said.
 */
function withoutRecipient({ code, command, response, message }: SmtpError): string {
  if (response === undefined) return code === 'EENVELOPE' ? 'no letter can be addressed so' : message
  const [numbers = 'nothing we know'] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return `the mail server said ${numbers} to ${command ?? 'us'}`
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
    // A password never goes over a wire that anyone can read.
    requireTLS: url.password !== '' && !loopback.test(url.hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
