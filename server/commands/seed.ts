import type { Config } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { openMediaStore } from '#platform/media/store.ts'
import { NotEmpty, seedSite } from '#seed/seed.ts'
import { CommandError, ownerUrl } from './command-support.ts'
import { printTable } from './format.ts'

const t = cliTranslator()

interface SeedOptions {
  readonly authors?: number
  readonly pieces: number
  readonly rng: number
  readonly json?: true
}

/** One author per ten pieces on a small site, per hundred on a large one. */
const authorsFor = (pieces: number): number =>
  Math.max(1, Math.min(Math.ceil(pieces / 10), 40 + Math.ceil(pieces / 100)))

export async function fillSite(config: Config, { json, ...wanted }: SeedOptions): Promise<void> {
  const plan = { ...wanted, authors: Math.max(wanted.authors ?? authorsFor(wanted.pieces), 1), until: new Date() }
  try {
    const store = config.MEDIA_URL && openMediaStore(config.MEDIA_URL)
    const pictures = store && { store, baseUrl: config.BASE_URL }
    const seeded = await seedSite(ownerUrl(config), plan, { pictures })
    if (json) {
      const { writer, moderator, apiKey } = seeded.people
      console.log(JSON.stringify({ base_url: config.BASE_URL, writer, moderator, api_key: apiKey }))
      return
    }
    const { authors, pieces, drafts, products } = seeded
    console.log(t('cli.seed.done', { authors, pieces, drafts, products }))
    console.log(t('cli.seed.took', { rows: seeded.rowSeconds, indexes: seeded.indexSeconds }))
    const { writer, moderator, apiKey } = seeded.people
    console.log(t('cli.seed.next', { address: `${config.BASE_URL}/api/public/pieces/recent` }))
    console.log(t('cli.seed.credentials'))
    printTable([
      [t('cli.seed.writer'), `${writer.email}  ${writer.password}`],
      [t('cli.seed.moderator'), `${moderator.email}  ${moderator.password}`],
      [t('cli.seed.api_key'), apiKey],
    ])
  } catch (error) {
    if (error instanceof NotEmpty) throw new CommandError(error.message)
    throw error
  }
}
