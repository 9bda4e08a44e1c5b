import { deskOf } from '../../testkit/desk.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { sameId } from './same-id.ts'

/**
 * A picture holds no text to look through, so it is held against itself: drawn before its piece's working copy was given
 * secrets and after, it is the same to the byte. What is not public has none.
 */
export async function judgePictures({ site, app, ask }: SiteUnderProof): Promise<{ drawn: number; told: string[] }> {
  const told: string[] = []
  let drawn = 0
  const picture = async (path: string): Promise<string> => {
    const { statusCode, headers, body } = await ask({ method: 'GET', url: `/image/${path}.png`, headers: sameId })
    if (statusCode === 200) drawn += 1
    return `${statusCode} ${headers['etag'] ?? body}`
  }
  const never = await picture(`piece/${site.ids.at(-1)}`)

  for (const [writer, ids] of [
    [site.me, site.ids.slice(0, 5)],
    [site.other, site.ids.slice(5, 10)],
  ] as const) {
    const [approved, ...hidden] = ids.toReversed()
    for (const id of hidden) {
      if ((await picture(`piece/${id}`)) !== never)
        told.push(`the picture of ${id}, which is not public, is an answer of its own`)
    }
    const paths = [`piece/${approved}`, `author/${writer.slug}`]
    const before = await Promise.all(paths.map(picture))
    const secret = site.newCanary(writer)
    const changed = await deskOf(app, writer).ask(
      'PATCH',
      `pieces/${approved}`,
      { headline: secret, sub: secret },
      { 'if-match': '*' },
    )
    if (changed.statusCode !== 200) throw new Error(`the working copy could not be changed: ${changed.body}`)
    const after = await Promise.all(paths.map(picture))
    for (const [at, path] of paths.entries()) {
      if (!before[at]!.startsWith('200 ')) told.push(`there is no picture at ${path}: ${before[at]}`)
      if (after[at] !== before[at]) told.push(`the picture at ${path} changed with what only its writer may see`)
    }
  }
  return { drawn, told }
}
