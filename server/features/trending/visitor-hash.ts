/** Who asks: as much of it as tells one reader of a day from another, and never kept. */
export interface Reader {
  readonly address: string
  /** IPv4 /24, IPv6 /48: what counts so often a minute, whatever its readers call themselves. */
  readonly network: string
  readonly agent: string
}

interface Asked {
  readonly 'user-agent'?: string | undefined
  readonly purpose?: string | string[] | undefined
  readonly 'sec-purpose'?: string | string[] | undefined
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly 'sec-fetch-mode'?: string | string[] | undefined
  readonly 'sec-fetch-dest'?: string | string[] | undefined
}

/** Programs that say what they are; Cubot makes telephones. Those that pose as a browser are not told from one. */
const robots =
  /(?<!cu)bot|crawl|spider|slurp|scrap|archiver|preview|monitor|uptime|lighthouse|externalhit|fetch|http|curl|wget|python|java\/|axios|undici|node|ruby|perl|php|feed|rss/i

/** Enough of an agent to tell two apart. */
const longestAgent = 512

/** Undefined for robots, and for a page that is fetched before anybody asked to see it. */
export function readerOf({ address, network }: Omit<Reader, 'agent'>, asked: Asked): Reader | undefined {
  const agent = asked['user-agent']?.trim()
  if (!agent || robots.test(agent)) return undefined
  if (`${asked['sec-purpose'] ?? ''} ${asked.purpose ?? ''}`.includes('prefetch')) return undefined
  return { address, network, agent: agent.slice(0, longestAgent) }
}

/** Whether a page of another site shows our picture: browsers say so, and it is nobody reading here. */
export const isElsewhere = ({ 'sec-fetch-site': site }: Asked): boolean => site !== undefined && site !== 'same-origin'

/** Whether somebody goes to a page, as far as their browser tells: not its picture in a page of another site. */
export const isOpening = ({
  'sec-fetch-mode': mode = 'navigate',
  'sec-fetch-dest': dest = 'document',
}: Asked): boolean => mode === 'navigate' && dest === 'document'
