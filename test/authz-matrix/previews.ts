import { deskOf } from '../../testkit/desk.ts'
import type { MadeWriter } from '../../testkit/factories.ts'
import { photograph, uploaderOf } from '../../testkit/media.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { type Credential, canaryPattern, credentials } from './site.ts'

/**
 * The one exception there is: whoever holds the token of a preview reads that piece, and nothing else of anybody's. Its
 * pictures are nobody else's either.
 */
export async function judgePreviews(under: SiteUnderProof): Promise<{ opened: number; told: string[] }> {
  const told: string[] = []
  let opened = 0
  for (const writer of [under.site.me, under.site.other]) {
    const { path, canary, hash } = await hiddenPiece(under, writer)
    const token = path.split('/').at(-1)!
    const page = await under.ask({ method: 'GET', url: path, headers: {} })
    const seen = new Set(page.body.match(canaryPattern) ?? [])
    if (page.statusCode === 200 && seen.has(canary) && seen.size === 1) opened += 1
    else told.push(`a preview shows ${[...seen].join() || 'nothing'} (${page.statusCode}), not its own piece alone`)

    const strangers = [
      path.slice(0, -1) + (path.endsWith('x') ? 'y' : 'x'),
      path.toUpperCase().replace('/DESK/PREVIEW/', '/desk/preview/'),
      `/desk/preview/${token}/media/${'0'.repeat(64)}`,
      `/media/${hash}`,
      `/media/${hash}?token=${token}`,
      `/p/${token}`,
    ]
    for (const credential of credentials) {
      for (const url of strangers) await demandNothing(under, credential, url, told)
      const isTheirs = under.site.callers[credential] === writer && credential.includes('cookie')
      if (!isTheirs) await demandNothing(under, credential, `/desk/media/${hash}`, told)
    }
    const posing: Record<string, string>[] = [{ cookie: `__Host-desk=${token}` }, { authorization: `Bearer ${token}` }]
    for (const headers of posing) {
      const answer = await under.ask({ method: 'GET', url: '/desk/api/pieces', headers })
      if (answer.statusCode < 400) told.push(`the token of a preview signs somebody in: ${JSON.stringify(headers)}`)
    }
  }
  return { opened, told }
}

/** A draft with a picture, and the path of a link to it. */
async function hiddenPiece({ app, site }: SiteUnderProof, writer: MadeWriter) {
  const hash = await uploaderOf(app, writer).upload(await photograph(writer === site.me ? 1 : 2))
  const canary = site.newCanary(writer)
  const desk = deskOf(app, writer)
  const id = await desk.begin({
    headline: 'Shown to some',
    body_md: `Only for some: ${canary}.\n\n![A](/media/${hash})`,
  })
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  return { path: new URL(link.url).pathname, canary, hash }
}

async function demandNothing(
  under: SiteUnderProof,
  credential: Credential,
  url: string,
  told: string[],
): Promise<void> {
  const { statusCode } = await under.ask({ method: 'GET', url, headers: under.site.headers[credential] })
  if (statusCode < 400) told.push(`${url} answers ${statusCode} to ${credential}`)
}
