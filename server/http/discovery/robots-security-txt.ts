import type { SiteInfo } from '#platform/site.ts'
import type { Urls } from '#platform/urls.ts'
import { addresses, closed } from './endpoints.ts'

/** /robots.txt by RFC 9309: all that is public may be asked by everybody. */
export const robotsText = ({ base }: Urls): string =>
  [
    'User-agent: *',
    'Allow: /',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n')

const day = 86_400_000
/** RFC 9116 advises less than a year. */
const validDays = 360

const pathOf = (title: string): string => addresses.find((address) => address.title === title)!.path

/** /.well-known/security.txt by RFC 9116: the same for a whole day, so that caches and people can compare it. */
export function securityText({ contact }: SiteInfo, { base }: Urls, now: Date): string {
  const today = Math.floor(now.getTime() / day) * day
  const policy = base + pathOf('Security')
  const fields = {
    Contact: contact ? `mailto:${contact}` : policy,
    Expires: new Date(today + validDays * day).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: base + pathOf('security.txt'),
    Policy: policy,
  }
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}
