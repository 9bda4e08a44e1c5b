import { existsSync, readFileSync } from 'node:fs'
import { type Config, ConfigError } from '#platform/config.ts'
import { readProofRecord } from '#platform/proof-record.ts'
import { readSiteInfo } from '#platform/site.ts'
import { bad, type Finding, good } from './finding.ts'

/** What a process reads from the disk when it starts. */

const built = new URL('../../../desk/dist/', import.meta.url)

/** The server starts without it and answers 503 at /desk: nothing else would say so before a writer does. */
export function deskApplication(config: Config, dist = built): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  return [
    isWhole(dist)
      ? good('The desk is built.')
      : bad(
          'The desk is not built, so nobody can sign in. Run npm ci --include=dev, which builds it, or bring desk/dist from a machine that has; npm run desk says what hinders it.',
        ),
  ]
}

/** Everything is there that its manifest names. */
function isWhole(dist: URL): boolean {
  try {
    const manifest: Record<string, { file: string }> = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
    return Object.values(manifest).every(({ file }) => existsSync(new URL(file, dist)))
  } catch {
    return false
  }
}

/** What is the site's own. A file that cannot be read keeps a server from starting. */
export function siteFiles(config: Config): Finding[] {
  return [readSiteInfo, readProofRecord].flatMap((read) => {
    try {
      read(config)
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.map(bad)
      throw error
    }
  })
}
