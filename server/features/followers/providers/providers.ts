import type { Config } from '#config/config.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { mailgun } from './mailgun.ts'
import { postmark } from './postmark.ts'
import type { Provider } from './provider.ts'
import { sendgrid } from './sendgrid.ts'
import { ses } from './ses.ts'

/** The providers that are set up, by their names in addresses. */
export function providersOf(config: Config, outbound: Pick<Outbound, 'call'>): ReadonlyMap<string, Provider> {
  const { BOUNCE_SES_TOPIC, BOUNCE_POSTMARK_PASSWORD, BOUNCE_MAILGUN_KEY, BOUNCE_SENDGRID_VERIFICATION } = config
  const providers: readonly (readonly [string, Provider | undefined])[] = [
    ['ses', BOUNCE_SES_TOPIC === undefined ? undefined : ses(BOUNCE_SES_TOPIC, outbound)],
    ['postmark', BOUNCE_POSTMARK_PASSWORD === undefined ? undefined : postmark(BOUNCE_POSTMARK_PASSWORD)],
    ['mailgun', BOUNCE_MAILGUN_KEY === undefined ? undefined : mailgun(BOUNCE_MAILGUN_KEY)],
    ['sendgrid', BOUNCE_SENDGRID_VERIFICATION === undefined ? undefined : sendgrid(BOUNCE_SENDGRID_VERIFICATION)],
  ]
  return new Map(providers.flatMap(([name, provider]) => (provider ? [[name, provider] as const] : [])))
}
