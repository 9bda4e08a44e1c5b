import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** A small site with public and private pictures, and the CLI to back it up. */

export const folder = mkdtempSync(join(tmpdir(), 'sf-backup-'))
// Not `after`, since test files that share a process share this folder.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A PATH in which a PostgreSQL program runs this script first. */
export function pathWith(program: string, script: string): string {
  const place = mkdtempSync(join(folder, 'path-'))
  writeFileSync(join(place, program), `#!/bin/sh\n${script}\n`)
  chmodSync(join(place, program), 0o755)
  return `${place}:${process.env['PATH']}`
}
export const realDump = 'PATH=/usr/bin:/bin:/usr/local/bin pg_dump'

/** A pg_dump that waits at its start until released. */
export function heldDump(): { readonly PATH: string; readonly begun: () => boolean; readonly goOn: () => void } {
  const go = join(mkdtempSync(join(folder, 'held-')), 'go')
  const hold = `touch ${go}.begun; while [ ! -e ${go} ]; do sleep 0.05; done`
  const PATH = pathWith('pg_dump', `case "$1" in --version) ;; *) ${hold} ;; esac; ${realDump} "$@"`)
  return { PATH, begun: () => existsSync(`${go}.begun`), goOn: () => writeFileSync(go, '') }
}

export async function seededSite() {
  const { url, admin } = await testDatabase()
  const media = mediaFolder()
  const secrets = { AUTH_SECRET: 'a'.repeat(40), SECRETS_KEY: 's'.repeat(40) }
  const env = { DATABASE_URL: url, MEDIA_URL: media.url, SITE_NAME: 'The Example', ...secrets }
  assert.equal((await standfirst(env, 'seed', '--pieces', '40', '--authors', '5')).code, 0)
  const ada = await makeWriter(admin, { slug: 'ada' })
  const app = await testApp(url, { MEDIA_URL: media.url, ...secrets })
  const pictures = [await photograph(1), await photograph(2), await photograph(3)]
  const hashes: string[] = []
  for (const picture of pictures) hashes.push(await uploaderOf(app, ada).upload(picture))
  const desk = deskOf(app, ada)
  const illustrated = await desk.begin({
    headline: 'With a picture',
    body_md: `We drank tea.\n\n![Tea](/media/${hashes[0]})`,
  })
  await desk.act('publish', illustrated)
  await desk.begin({ headline: 'A draft', body_md: `![Not yet](/media/${hashes[1]})` })
  return { admin, ada, app, desk, env, hashes, illustrated, media, secrets }
}
