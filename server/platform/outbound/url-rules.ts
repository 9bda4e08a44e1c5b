import { type AllowList, ipOf, isAllowed, isHostName } from './allow-list.ts'

/** What may be called, as far as the text of an address tells. Where its name leads is looked at when it is called. */

export interface UrlRules {
  /** Host names of this service. */
  readonly ownHosts: ReadonlySet<string>
  readonly allow: AllowList
}

/** A problem is one sentence that tells the writer what to do. */
export type CheckedUrl = { readonly url: URL } | { readonly problem: string }

const longest = 2_048

/** Names that end inside a private network, on this machine, or nowhere (RFC 6761, 6762, 7686, 8375, 9476). */
const privateEndings = ['.local', '.internal', '.localhost', '.home.arpa', '.onion', '.test']

export function checkOutboundUrl(text: string, rules: UrlRules): CheckedUrl {
  // Browsers' own parser: it turns `0x7f.1`, `2130706433` and `①②⑦.0.0.1` into the 127.0.0.1 that they mean.
  if (text.length > longest) return { problem: tooLong }
  if (!URL.canParse(text)) return { problem: 'Write a complete address, such as https://example.org/hook.' }
  const url = new URL(text)
  if (url.href.length > longest) return { problem: tooLong }
  if (url.username || url.password) return { problem: 'Leave out the user name and the password before the @.' }
  if (/^https?:$/.test(url.protocol) && isAllowed(url, rules.allow)) return { url }
  const problem = strangerProblem(url, rules.ownHosts)
  return problem === undefined ? { url } : { problem }
}

const tooLong = `Use an address of at most ${longest.toLocaleString('en-GB')} characters.`

function strangerProblem({ protocol, hostname, port }: URL, ownHosts: ReadonlySet<string>): string | undefined {
  if (protocol !== 'https:') return 'Use an address that begins with https://.'
  if (port !== '') return 'Leave out the port: only 443, the usual one of https, is called.'
  if (ipOf(hostname) !== undefined) return 'Use a host name, such as example.org, instead of an IP address.'
  if (hostname.endsWith('.')) return 'Leave out the dot at the end of the host name.'
  if (!hostname.includes('.')) return 'Use a full host name with a dot in it, such as example.org.'
  if (!isHostName(hostname)) return 'Use a host name made of letters, digits and hyphens between its dots.'
  const ending = privateEndings.find((one) => hostname.endsWith(one))
  if (ending) return `Use a host name that everyone can reach: names that end in ${ending} are private.`
  if (ownHosts.has(hostname)) return 'Use an address of your own: this one belongs to this service.'
  return undefined
}
