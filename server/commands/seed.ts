import type { Config } from '#config/config.ts'
import { NotEmpty, seedSite } from '#seed/seed.ts'
import { CommandError, ownerUrl } from './command-support.ts'

interface SeedOptions {
  readonly authors?: number
  readonly pieces: number
  readonly rng: number
  readonly json?: true
}

/** One author per ten pieces on a small site, per hundred on a large one. */
const authorsFor = (pieces: number): number =>
  Math.max(1, Math.min(Math.ceil(pieces / 10), 40 + Math.ceil(pieces / 100)))

export async function fillSite(config: Config, { authors, pieces, rng, json }: SeedOptions): Promise<void> {
  const plan = { authors: Math.max(authors ?? authorsFor(pieces), 1), pieces, rng, until: new Date() }
  try {
    const seeded = await seedSite(ownerUrl(config), plan)
    if (json) {
      const { writer, moderator, apiKey } = seeded.people
      console.log(JSON.stringify({ base_url: config.BASE_URL, writer, moderator, api_key: apiKey }))
      return
    }
    console.log(
      `Seeded ${seeded.authors} authors, ${seeded.pieces} pieces, ${seeded.drafts} drafts and ${seeded.products} listings.`,
    )
    console.log(
      `Rows took ${seeded.rowSeconds.toFixed(1)} s, indexes and statistics ${seeded.indexSeconds.toFixed(1)} s.`,
    )
    const { writer, moderator, apiKey } = seeded.people
    console.log(`Look at ${config.BASE_URL}/api/public/pieces/recent once the server runs.`)
    console.log('To get in (shown once):')
    console.log(`  writer     ${writer.email}  ${writer.password}`)
    console.log(`  moderator  ${moderator.email}  ${moderator.password}`)
    console.log(`  API key    ${apiKey}`)
  } catch (error) {
    if (error instanceof NotEmpty) throw new CommandError(error.message)
    throw error
  }
}
