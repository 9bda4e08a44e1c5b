/** What was measured of one program at one read, medians of the rounds. */
export interface PeerFigures {
  readonly name: string
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly processor: number
  readonly database: number
  /** Median over rounds of our rate divided by its rate. */
  readonly times: number
}

export interface PeersResult {
  readonly posts: number
  readonly rounds: number
  readonly programs: readonly {
    readonly name: string
    readonly packages: number
    /** Megabytes held at the end. */
    readonly memory: number
    readonly database: string
  }[]
  readonly reads: readonly { readonly name: string; readonly figures: readonly PeerFigures[] }[]
  readonly installSeconds: number
  readonly seconds: number
}

/** Answers per second by program, on a logarithmic scale: a bar per program, grouped by read. */

const left = 210
const width = 860
const barHeight = 16
const plot = width - left - 150

interface Panel {
  readonly svg: string
  readonly height: number
}

export function peersPanel(
  measured: PeersResult | undefined,
  top: number,
  label: (x: number, y: number, text: string, kind?: string, anchor?: string) => string,
): Panel {
  if (!measured) return { svg: '', height: 0 }
  const most = Math.max(...measured.reads.flatMap(({ figures }) => figures.map(({ rate }) => rate)))
  const decades = Math.ceil(Math.log10(most))
  const x = (rate: number) => left + (plot * Math.log10(Math.max(rate, 1))) / decades
  let y = top + 60
  const groups = measured.reads.map(({ name, figures }) => {
    const bars = figures.map((one, place) => {
      const said = `${Math.round(one.rate).toLocaleString('en')}${place === 0 ? '' : `  (ours ${one.times.toFixed(1)} times)`}`
      const bar = `<rect class="s${2 - place}" x="${left}" y="${y}" width="${x(one.rate) - left}" height="${barHeight - 4}"><title>${name}, ${one.name}: ${said} a second</title></rect>${label(x(one.rate) + 6, y + 10, said, 'quiet')}`
      y += barHeight
      return bar
    })
    const title = label(left - 12, y - (barHeight * figures.length) / 2 + 3, name, '', 'end')
    y += 10
    return title + bars.join('')
  })
  const legend = measured.programs.map(
    ({ name }, place) =>
      `<circle class="s${2 - place}" cx="${left + place * 150}" cy="${top + 40}" r="4"/>${label(left + place * 150 + 10, top + 44, name)}`,
  )
  const title = label(0, top + 18, 'Compared with others: responses a second, logarithmic', 'title')
  return { svg: title + legend.join('') + groups.join(''), height: y - top }
}

interface Drawing {
  fixed(value: number, digits?: number): string
  row(cells: readonly string[]): string
  head(cells: readonly string[]): string
}

/** The comparison with Ghost and Directus, and where it is unequal. */
export function peersSection(measured: PeersResult, when: string, { fixed, row, head }: Drawing): string {
  const { posts, rounds, programs, reads, installSeconds, seconds } = measured
  const digits = (value: number) => (value < 10 ? 1 : 0)
  const figures = reads.flatMap(({ name, figures: all }) =>
    all.map((one, place) =>
      row([
        place === 0 ? `**${name}**` : '',
        one.name,
        fixed(one.rate, digits(one.rate)),
        place === 0 ? '' : fixed(one.times, 1),
        `${fixed(one.p50, digits(one.p50))} / ${fixed(one.p99, digits(one.p99))}`,
        fixed(one.processor, 2),
        fixed(one.database, 2),
      ]),
    ),
  )
  const columns = [
    'read',
    'product',
    'a second',
    'ours, times',
    'p50 / p99, ms',
    'server, ms each',
    'database, ms each',
  ]
  const sizes = programs.map(({ name, database, memory, packages }) =>
    row([name, database, fixed(memory), fixed(packages)]),
  )
  return `## Compared with Ghost and Directus

\`npm run bench -- peers\`: the same ${fixed(posts)} posts in each product, one process each on the same core, 16 connections, measured in turn, the median of ${rounds === 1 ? 'one round' : `${rounds} rounds`}. Measured ${when}. The target is 5 times Ghost's responses a second where it reads the same: one post, a list of 20 and a page. *Ours, times* is the median of the ratios, round by round. *Server* and *database* are processor time per response.

${head(columns)}${figures.join('')}
${head(['product', 'database', 'memory at the end, MB', 'production packages'])}${sizes.join('')}
Installing took ${fixed(installSeconds)} s, everything else ${fixed(seconds)} s.

What is not equal:

- **Databases.** Ghost is made for MySQL 8; here it uses MariaDB 10.11 with default settings, because Debian has no MySQL package. Directus and Standfirst share one PostgreSQL. Each product has at most ten connections.
- **Data.** Ghost's posts were inserted into its tables without tags and without the editor's own copy of each text, so it reads less than usual. Directus got them through its API. Our responses contain tags, category and plain text in addition to the HTML; those of the others do not.
- **Search.** Ghost's API has none: its readers load an index and search it in the browser. We measured its nearest filter, a substring of the title. Directus looks for a substring in every text of a post. Standfirst looks in headline, standfirst and body, orders by where it was found, and cuts a snippet.
- **Pages.** Ghost renders its default theme, with navigation, cards of other posts and its script tags; Standfirst renders its own page. Both are complete pages with the same text, but not the same page. Directus has no pages.
- **Caches.** None has a cache in front. Ghost's response caches and Directus' data cache are off by default and stayed off. Standfirst does not cache responses either; each read queries the database. In production, each of them would have a cache in front that serves most reads.
- **Limits.** Our rate limits and shedding, and the pressure limiter of Directus, are off, because a refusal is cheaper than a response. Ghost has no such limit on reads.
- **Network.** Everything runs in a network without internet access, so that no update check, ping or telemetry is sent. Responses are uncompressed, without TLS.
- **Settings.** In Ghost, we switched off the parameter that it adds to external links, for which it would parse each text again, and its cover image, which is on another server. In Directus, isolated-vm is newer than required, to run on Node 24.
- **Native modules** of Ghost and Directus were not compiled; these reads do not use them.
- **Purpose.** Ghost also sends newsletters and manages members, and Directus works with any tables. Speed is only one criterion.
`
}
