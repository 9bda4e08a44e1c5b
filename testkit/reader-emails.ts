import { readSiteInfo } from '../server/config/site-info.ts'
import { type ClaimedEmail, claimEmails, expandAnnouncements } from '../server/features/followers/email-queue.ts'
import { confirmFollows, stopFollowing } from '../server/features/followers/follow.ts'
import {
  type ReaderEmail,
  type ReaderEmailContext,
  writeReaderEmail,
} from '../server/features/followers/reader-emails.ts'
import type { Frequency } from '../server/features/followers/schema.ts'
import { urlsFor } from '../server/features/urls.ts'
import { siteConfig } from './app.ts'
import { type TestDatabase, workerDatabase } from './database.ts'
import { followSite, readerWith, sendFollowForm } from './followers.ts'

/** Readers of a test's site, and what would be sent to them. */
export interface Readers {
  readonly context: ReaderEmailContext
  /** A new reader, of a domain of their own. */
  ask(paths: readonly string[], given?: { frequency?: Frequency; language?: string }): Promise<string>
  confirm(reader: string): Promise<void>
  follow(...asked: Parameters<Readers['ask']>): Promise<string>
  stop(reader: string): Promise<void>
  /** The email of this kind that is due for a reader now, or with the next digests. */
  due(reader: string, kind: ClaimedEmail['kind']): Promise<ClaimedEmail>
  write(email: ClaimedEmail): Promise<ReaderEmail | undefined>
  written(reader: string, kind: ClaimedEmail['kind']): Promise<ReaderEmail>
}

const network = '192.0.2.7'

export function readersOf(database: TestDatabase, env: Record<string, string> = {}): Readers {
  const { url, admin } = database
  const config = siteConfig(url, env)
  const site = followSite(database)
  const worker = workerDatabase(url)
  const context: ReaderEmailContext = {
    reads: { db: worker, searchDb: worker, searchBudget: 0, urls: urlsFor(config.BASE_URL) },
    siteInfo: readSiteInfo(config),
    keys: site.keys,
  }
  let readers = 0

  const ask: Readers['ask'] = async (paths, { frequency = 'each', language = 'en' } = {}) => {
    readers += 1
    const email = `reader@mail-${readers}.example`
    for (const path of paths) await sendFollowForm(site, email, path, frequency, language)
    return (await readerWith(site, email))!
  }
  const confirm = (reader: string) => confirmFollows(site, reader, network)
  const due: Readers['due'] = async (reader, kind) => {
    while (await expandAnnouncements(worker)) {}
    await admin.query("update app.reader_emails set due_at = now() - interval '1 second' where lease_token is null")
    await admin.query("update app.mail_domains set ready_at = now() - interval '1 second', width = 100")
    await claimEmails(worker, 1000)
    const { rows } = await admin.query<ClaimedEmail>(
      `select e.*, r.sealed_address, r.language from app.reader_emails e join app.readers r on r.id = e.reader_id
        where e.reader_id = $1 and e.kind = $2 and e.state = 'pending' order by e.due_at`,
      [reader, kind],
    )
    if (!rows[0]) throw new Error(`no ${kind} is due`)
    return rows[0]
  }
  const write: Readers['write'] = (email) => writeReaderEmail(context, email)
  return {
    context,
    ask,
    confirm,
    follow: async (...asked) => {
      const reader = await ask(...asked)
      await confirm(reader)
      return reader
    },
    stop: (reader) => stopFollowing(site, reader),
    due,
    write,
    async written(reader, kind) {
      const made = await write(await due(reader, kind))
      if (!made) throw new Error(`nothing to say in ${kind}`)
      return made
    },
  }
}

/** Of an own picture's hash: everything that a text can contain. */
export const richText = (hash: string): string => `# A first heading

Nobody likes to *wait*, and **nobody** says \`so\`.[^one] See [the physics](https://physics.example/kettles?a=1&b=2), ~~or not~~, and [the teas](#a-table-of-teas).

![A brown teapot on a windowsill](/media/${hash} "The *old* pot. Photo: Ada")

## A table of teas

| Tea | Minutes | |
|:--|--:|:-:|
| Assam | 4 | forgiving |
| Sencha | 1 | <b>unforgiving</b> |

1. First the small bubbles
2. Then the large ones:
   - It is short.
   - It is loud.

> The kettle is the last honest clock.
>
> It has never rounded down.

\`\`\`js
// Patience
const minutes = 4 < 5 && "four"
\`\`\`

---

- [x] Fill the kettle
- [ ] Wait

![A copper pot](https://pictures.example/pot.jpg)

https://example.org/a-lone-link

The end.[^two]

[^one]: The notebooks are in *Kolkata*.
[^two]: Half past, on Sundays.
`
