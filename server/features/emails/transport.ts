import { createTransport, type SendMailOptions } from 'nodemailer'
import { type Config, ConfigError } from '#config/config.ts'
import { mailNeeded } from '#config/required-settings.ts'
import type { Logger } from '#platform/observability/log.ts'
import { oneLine } from './layout.ts'

/** The one place that hands emails to the mail server, says what a failure means, and leaves addresses out of it. */

export interface Transport {
  /** The address of all emails. */
  readonly sender: string
  /** The site's name, unless a message names another sender. Throws `MailError`. */
  send(message: Message): Promise<void>
  close(): void
}

export interface Message {
  /** The same for every attempt, so that an email sent again after a crash is recognised as a duplicate. */
  readonly id: string
  readonly to: string
  readonly fromName?: string | undefined
  /** Where failures are reported. Default: the sender. */
  readonly returnPath?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: NonNullable<SendMailOptions['headers']>
}

/**
 * What a failure concerns:
 *   address  it takes no email
 *   message  it is refused for good
 *   moment   it is not taken now
 *   session  the connection was lost on the way, or the sender is refused
 *   server   there is none, or it takes nothing from us: this email was not tried
 */
type MailProblem = 'address' | 'message' | 'moment' | 'session' | 'server'

export class MailError extends Error {
  readonly problem: MailProblem
  constructor(problem: MailProblem, reason: string) {
    super(reason)
    this.name = 'MailError'
    this.problem = problem
  }
}

export const senderAddress = ({ MAIL_FROM, BASE_URL }: Pick<Config, 'MAIL_FROM' | 'BASE_URL'>): string =>
  MAIL_FROM?.address ?? `no-reply@${new URL(BASE_URL).hostname}`

/** By SMTP or, without SMTP_URL, to the log, where a developer finds the links. */
export function openTransport(config: Config, log: Logger, connections: number): Transport {
  if (config.SMTP_URL === undefined && config.NODE_ENV === 'production') throw new ConfigError([mailNeeded()])
  const address = senderAddress(config)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const siteName = oneLine(config.MAIL_FROM?.name || config.SITE_NAME)
  const smtp = config.SMTP_URL === undefined ? undefined : open(config.SMTP_URL, connections, dkimOf(config, domain))
  return {
    sender: address,
    async send({ id, to, fromName, returnPath = address, ...message }) {
      if (smtp === undefined) {
        log.warn({ event: 'email_failed', subject: message.subject, text: message.text })
        return
      }
      await smtp
        .sendMail({
          ...message,
          from: { name: fromName === undefined ? siteName : oneLine(fromName), address },
          to: { name: '', address: to },
          envelope: { from: returnPath, to },
          messageId: `<${id}@${domain}>`,
        })
        .catch((error: SmtpError) => {
          throw new MailError(problemOf(error), withoutRecipient(error))
        })
    },
    // Emails in progress are sent again later.
    close: () => smtp?.close({ force: true }),
  }
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function open(address: string, connections: number, dkim: ReturnType<typeof dkimOf>) {
  const url = new URL(address)
  return createTransport({
    url: address,
    pool: true,
    maxConnections: connections,
    // Once, on a connection that the server closed while it was idle.
    maxRequeues: 1,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 20_000,
    dnsTimeout: 5000,
    // Never sends a password unencrypted.
    requireTLS: url.password !== '' && !loopback.test(url.hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...dkim,
  })
}

/** RFC 8058 demands both List-Unsubscribe headers, of which nodemailer by default signs one. */
const signedHeaders =
  'From:To:Subject:Date:Message-ID:MIME-Version:Content-Type:List-Id:List-Unsubscribe:List-Unsubscribe-Post'

function dkimOf({ DKIM_KEY, DKIM_SELECTOR, DKIM_DOMAIN }: Config, domain: string) {
  if (DKIM_KEY === undefined || DKIM_SELECTOR === '') return undefined
  return {
    dkim: {
      domainName: DKIM_DOMAIN || domain,
      keySelector: DKIM_SELECTOR,
      privateKey: DKIM_KEY,
      headerFieldNames: signedHeaders,
    },
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  /** Of a system error. */
  readonly syscall?: string
  readonly timeoutType?: string
}

function problemOf({ code, command, response = '', responseCode, syscall, timeoutType }: SmtpError): MailProblem {
  if (responseCode !== undefined && (command === 'RCPT TO' || command === 'DATA')) {
    if (responseCode < 500) return 'moment'
    if (command === 'DATA') return 'message'
    if (isAboutAddress(enhancedStatus(response)) && !/\brelay/i.test(response)) return 'address'
    // Refused by a policy, about us or our server: it may be changed.
    return 'moment'
  }
  if (command === 'API' && code !== 'ECONNECTION') return 'message'
  const isUnderWay =
    command === 'CONN' && responseCode === undefined
      ? code === 'ECONNECTION' || timeoutType === 'SOCKET_TIMEOUT' || (code === 'ESOCKET' && syscall !== 'connect')
      : command === 'MAIL FROM' || command === 'API' || responseCode === 421
  return isUnderWay ? 'session' : 'server'
}

const enhancedStatus = (response: string): string | undefined =>
  /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]

/**
 * Whether a permanent failure is about the mailbox (RFC 3463), which then gets no more emails: not full, not refused for its
 * content or by a policy, and not lost on the way.
 */
export const isAboutAddress = (status: string | undefined): boolean =>
  status === undefined || /^5\.(?:0\.\d+|1\.(?!7$|8$)\d+|2\.[01])$/.test(status)

/**
 * What may be logged of a failure. Servers repeat the address they reject, and nodemailer keeps it in the message: of a
 * response only the codes are logged ("550 5.1.1 to RCPT TO"), and the full message only if no server sent it.
 */
function withoutRecipient({ code, command, response, message }: SmtpError): string {
  if (response === undefined) return code === 'EENVELOPE' ? 'the address is invalid' : message
  const [numbers = 'an unknown code'] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return `the mail server answered ${numbers}${command ? ` to ${command}` : ''}`
}
