import { setTimeout as pause } from 'node:timers/promises'
import type { SiteUnderProof } from './honest-site.ts'
import { sameId } from './same-id.ts'
import { canaryPattern } from './site.ts'

const longest = 30_000

/**
 * Reads of pieces in every state: the pixel answers all alike, only what is public is counted, and only that is among
 * what is read most, without the words its writer has not published.
 */
export async function judgeReads({ site, ask }: SiteUnderProof): Promise<{ hits: number; told: string[] }> {
  const told: string[] = []
  const headers = { 'user-agent': 'Mozilla/5.0 (a reader)', ...sameId }
  const answers = await Promise.all(site.ids.map((id) => ask({ method: 'GET', url: `/r/${id}.gif`, headers })))
  const shown = answers.map(({ statusCode, headers: { date, ...rest }, body }) =>
    JSON.stringify([statusCode, rest, body]),
  )
  if (new Set(shown).size !== 1) told.push('the pixel tells one piece from another')

  const open = await publicIds(site.admin)
  const expected = site.ids.filter((id) => open.has(id))
  const counted = async () => {
    const { rows } = await site.admin.query<{ id: string }>(
      'select piece_id as id from app.piece_reads where reads > 0 and piece_id::text = any ($1)',
      [site.ids],
    )
    return rows.map(({ id }) => id)
  }
  for (const end = Date.now() + longest; (await counted()).length < expected.length; await pause(50)) {
    if (Date.now() < end) continue
    told.push('reads of public pieces are not counted')
    break
  }
  for (const id of await counted()) if (!open.has(id)) told.push(`a read of ${id}, which is not public, was counted`)

  await site.admin.query('select app.score_trending()')
  const list = await ask({ method: 'GET', url: '/api/public/pieces/trending?limit=50', headers })
  const listed = (JSON.parse(list.body) as { items: { id: string }[] }).items.map(({ id }) => id.slice(-36))
  if (!expected.every((id) => listed.includes(id))) told.push('what was read is not among what is read most')
  if (!listed.every((id) => open.has(id))) told.push('what is read most names a piece that is not public')
  if (list.body.match(canaryPattern)) told.push('what is read most shows a canary')
  return { hits: answers.length, told }
}

async function publicIds(admin: SiteUnderProof['site']['admin']): Promise<Set<string>> {
  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces')
  return new Set(rows.map(({ id }) => id))
}
