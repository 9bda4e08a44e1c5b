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
  const title = label(0, top + 18, 'Beside others: answers a second, on a scale of tens', 'title')
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
    'program',
    'a second',
    'ours, times',
    'p50 / p99, ms',
    'server, ms each',
    'database, ms each',
  ]
  const sizes = programs.map(({ name, database, memory, packages }) =>
    row([name, database, fixed(memory), fixed(packages)]),
  )
  return `## Beside Ghost and Directus

\`npm run bench -- peers\`: the same ${fixed(posts)} posts in each, one process each on the same core, 16 connections, asked in turn, the median of ${rounds === 1 ? 'one round' : `${rounds} rounds`}. Measured ${when}. The bar is 5 times Ghost's answers a second at what it reads as we do: one post, a list of 20 and a page. *Ours, times* is the median of the ratios, round by round. *Server* and *database* are processor time for an answer.

${head(columns)}${figures.join('')}
${head(['program', 'database', 'memory at the end, MB', 'production packages'])}${sizes.join('')}
Installing took ${fixed(installSeconds)} s, everything else ${fixed(seconds)} s.

What is unequal:

- **Databases.** Ghost is made for MySQL 8; here it has MariaDB 10.11 at its defaults, because Debian packages no MySQL. Directus and we share one PostgreSQL. Each program has at most ten connections.
- **What is written.** Ghost's posts were put into its tables without the editor's own copy of each text, and without tags: it has less to read than in life. Directus got them through its API. Our answers carry tags, category and the text beside the HTML, which those of the others do not.
- **Search.** Ghost's API has none: its readers load an index and search it in the browser. What is measured is its nearest filter, a substring of the title. Directus looks for a substring in every text of a post. We look in headline, standfirst and body, order by where it was found, and cut a snippet.
- **Pages.** Ghost renders its default theme, with navigation, cards of further posts and the tags for its scripts; ours is our page. Both are whole pages of the same text, not the same page. Directus has no pages.
- **Caches.** None in front of any. Ghost's caches of answers are off by default and so they stayed, as did the data cache of Directus. We keep no answers either; each read asks the database. In production every one of them would stand behind a cache that carries most reads.
- **Limits.** Our rate limits and shedding are lifted and the pressure limiter of Directus is off: a refusal is cheaper than an answer. Ghost has no such limit on reads.
- **Network.** All of it runs in a network without a way out, so that no update check, ping or telemetry is sent. Uncompressed answers, no TLS.
- **Settings.** Switched off in Ghost: the word it adds to links that lead elsewhere, for which it would read through each text again, and its cover picture, which lies on another server. In Directus isolated-vm is newer than it asks for, to run on Node 24.
- **Native modules.** Those of Ghost and Directus were not compiled; the reads above do not use them.
- **What they are for.** Ghost also sends newsletters and keeps members, and Directus is made for any tables at all. Speed is one thing to choose by.
`
}
