import { seedSite } from '../../server/seed/seed.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { freePort } from '../../testkit/free-port.ts'

/** A seeded site that listens, as somebody has it who reads the documentation. */
export async function openDocsSite() {
  const { url, admin } = await testDatabase()
  const { people } = await seedSite(url, { authors: 8, pieces: 240, rng: 2, until: new Date('2026-06-01T12:00:00Z') })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const app = await testApp(url, { BASE_URL: base })
  await app.listen({ host: '127.0.0.1', port })
  return { url, admin, base, key: people.apiKey }
}
