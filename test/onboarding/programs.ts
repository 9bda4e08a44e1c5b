import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../testkit/until.ts'
import { documentAt, fenceWith, guideOf, runLine, type Site } from './newcomer.ts'

/** What the documentation tells programmers to do first, done as it stands there. */

/** By the quickstart's one command; how many. */
export async function firstDraft(site: Site): Promise<number> {
  const { code } = fenceWith('/api/v1/pieces', await guideOf(site, 'quickstart'))
  const answer = JSON.parse(await runLine(code, site.place, { KEY: site.key }))
  assert.equal(answer.status, 'draft')
  const mine = await fetch(`${site.base}/api/v1/pieces/me?limit=1`, {
    headers: { authorization: `Bearer ${site.key}` },
  })
  const [newest] = ((await mine.json()) as { pieces: { id: string }[] }).pieces
  assert.equal(newest?.id, answer.id)
  return code.match(/\bcurl /g)?.length ?? 0
}

/** The README's sample, in a project beside the clone, after the two commands that install; how many lines it all has. */
export async function firstSearch({ base, folder, place }: Site): Promise<number> {
  const [build = '', install = ''] = fenceWith('npm run sdk', documentAt('sdk/README.md')).code.split('\n')
  const { code } = fenceWith("from '@standfirst/sdk'", documentAt('README.md'))
  const lines = [build, install, ...code.split('\n').filter((line) => line !== '')]
  await runLine(build, folder)
  const project = join(place, 'project')
  await mkdir(project)
  await runLine(install, project)
  const its = code.replace('http://localhost:8080', base)
  await runLine(`cat > search.mjs <<'END'\n${its}\nEND`, project)
  // A busy server gives what it found in time.
  const found = await until(async () => {
    const printed = await runLine('node search.mjs', project)
    return printed.trim().split('\n').length > 10 && printed
  }, 'more than ten pieces are found')
  assert.match(found, new RegExp(`^.+ ${base}/author/`))
  return lines.length
}

/** By the README's command for any terminal; how many commands. */
export async function toolClient({ base, place }: Site): Promise<number> {
  const command = documentAt('README.md')
    .split('\n')
    .find((line) => line.startsWith('npx') && line.includes('/api/mcp'))
  assert.ok(command, 'the README names no client that connects')
  const { tools } = JSON.parse(await runLine(command.replace('http://localhost:8080', base), place))
  assert.equal(tools.length, 8)
  return 1
}
