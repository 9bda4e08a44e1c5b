import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { hueOf } from '#features/pieces/category-hues.ts'
import { coverVersion, noCategory, noInitials } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { message } from '#messages/message.ts'
import { overloaded } from '#platform/errors.ts'
import { cached, uncached } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { styledImage } from '#platform/http/security.ts'
import { coverFile, drawCover } from '#platform/images/drawn-cover/draw.ts'
import { type Outline, outlineOf } from '#platform/images/drawn-cover/outline.ts'
import { createLru } from '#platform/lru.ts'
import { graphemesOf, textToPath } from '#platform/svg-text/line.ts'
import { createTextShaper, type TextShaper } from '#platform/svg-text/shaper.ts'
import { initialsOf } from '#platform/text/initials.ts'

/** `/cover/{version}/{category}/{seed}/{initials}.svg`: a cover for a piece without a picture, drawn from its address. */
export const drawnCoverRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { gate, siteInfo }) => {
  // Patient, since every drawing is cached for a year.
  const shaper = createTextShaper(siteInfo.language, { milliseconds: 5_000 })
  const marks = createLru<Marks>(mostMarks)
  app.addHook('onClose', () => shaper.close())
  app.addHook('onSend', cached('drawing'))

  const params = Type.Object({
    version: Type.String(),
    category: Type.String(),
    seed: Type.String(),
    initials: Type.String(),
  })
  const schema = { hide: true, params } as { params: typeof params }

  app.get(
    '/cover/:version/:category/:seed/:initials.svg',
    { onRequest: gate('single', 'read'), schema },
    async (request, reply) => {
      const { version, category, seed, initials } = request.params
      const hue = hueOf(category === noCategory ? null : category)
      const isCanonical =
        /^[1-9]\d{0,3}$/.test(version) &&
        /^[\da-f]{12}$/.test(seed) &&
        (initials === noInitials || (initials !== '' && initialsOf(initials) === initials))
      if (hue === undefined || !isCanonical) throw failure(404)
      const drawn = coverFile(drawCover({ hue, seed, ...(await marksOf(initials, shaper, marks)) }))
      styledImage(reply)
      reply.type('image/svg+xml')
      // During a rollout, pages of one version ask processes of another: their drawing is better than none.
      return version === String(coverVersion) ? drawn : uncached(reply, drawn)
    },
  )
}

interface Marks {
  readonly initial: Outline | undefined
  readonly initials: Outline | undefined
}

/** Most sites see some hundred pairs; an outline has up to 2 kB. */
const mostMarks = 2_000

async function marksOf(
  initials: string,
  shaper: TextShaper,
  known: ReturnType<typeof createLru<Marks>>,
): Promise<Marks> {
  if (initials === noInitials) return { initial: undefined, initials: undefined }
  const found = known.get(initials)
  if (found) return found
  const outline = async (text: string): Promise<Outline | undefined> => {
    const path = textToPath(text)?.path ?? (await shapedPath(text, shaper))
    return path === undefined ? undefined : outlineOf(path)
  }
  const [first = ''] = graphemesOf(initials)
  const marks = { initial: await outline(first), initials: await outline(initials) }
  known.set(initials, marks, 1)
  return marks
}

async function shapedPath(text: string, shaper: TextShaper): Promise<string | undefined> {
  try {
    return (await shaper.fitOrFail(text))?.path
  } catch (cause) {
    // Anything else would be cached for a year without its mark.
    const refusal = overloaded(message('error.busy_pictures'))
    refusal.cause = cause
    throw refusal
  }
}
