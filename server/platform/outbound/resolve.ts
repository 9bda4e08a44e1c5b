import { lookup, Resolver } from 'node:dns/promises'
import { codeOf, OutboundError } from './outbound-error.ts'

/**
 * Every address of a name, IPv4 first, asked once. Straight from the name servers: the system's `getaddrinfo` would
 * add local names and search domains, cannot be cancelled, and a few slow names would hold up its four threads.
 */
export async function resolveName(name: string, ms: number, nameServers?: readonly string[]): Promise<string[]> {
  // One for each call (20 µs): cancelling ends only this one, and nothing is kept for the next. A lost packet is sent
  // again after a second.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const timer = setTimeout(() => resolver.cancel(), ms)
  // A name server that knows one family and stumbles over the other is common; what it does know is enough.
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)

  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  throw (
    failures.map((failure) => nameServerProblem(name, failure)).find((problem) => problem !== undefined) ??
    new OutboundError('dns', `The name ${name} has no address. Check its spelling and its DNS records.`, failures[0])
  )
}

function nameServerProblem(name: string, failure: unknown): OutboundError | undefined {
  const code = codeOf(failure)
  if (/ENOTFOUND|ENODATA/.test(code)) return undefined
  const advice = 'Check the name servers of the domain.'
  return /ETIMEOUT|ECANCELLED/.test(code)
    ? new OutboundError('timeout', `The name servers of ${name} did not answer in time. ${advice}`, failure)
    : new OutboundError('dns', `The name servers of ${name} failed${code}. ${advice}`, failure)
}

/** For hosts an operator vouches for: numbers, or names that only the system knows, as `localhost` and containers'. */
export async function resolveVouched(name: string, ms: number): Promise<string[]> {
  const outOfTime = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    outOfTime.reject(new OutboundError('timeout', `The name ${name} was not resolved in time.`))
  }, ms)
  try {
    const found = await Promise.race([lookup(name, { all: true, order: 'ipv4first' }), outOfTime.promise])
    return found.map(({ address }) => address)
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OutboundError('dns', `The name ${name} has no address${codeOf(error)}.`, error)
  } finally {
    clearTimeout(timer)
  }
}
