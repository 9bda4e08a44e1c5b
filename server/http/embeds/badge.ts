import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifySchemaCompiler } from 'fastify'
import Type from 'typebox'
import { authorAt } from '#features/authors/reads.ts'
import { OneAuthor } from '#features/authors/schema.ts'
import { tagsOfByline } from '#features/cache-tags.ts'
import { failures, type PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Xml, xml } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { type FittedText, fitText } from '#platform/svg-text/fit.ts'
import { graphemesOf, isRightToLeft, textToPath } from '#platform/svg-text/line.ts'
import { createTextShaper } from '#platform/svg-text/shaper.ts'
import { normaliseLine } from '#platform/text/normalise.ts'

/** An SVG pill with a writer's name. Self-contained: it loads no font, style or other file. */

export type BadgeTheme = 'light' | 'dark'

export interface Badge {
  readonly name: string
  readonly siteName: string
  readonly theme: BadgeTheme
  readonly verified: boolean
  /** Requests the verified tone; ignored for writers who are not verified. */
  readonly tone: 'plain' | 'verified'
  /** Text that had to be shaped, as outlines. */
  readonly shaped?: { readonly name: FittedText | undefined; readonly initial: FittedText | undefined }
}

interface Palette {
  readonly paper: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
  readonly rule: string
}

/** The page tokens' colours as hex, which every SVG renderer understands. */
export const palettes: Readonly<Record<BadgeTheme, Palette>> = {
  light: { paper: '#fcfaf6', line: '#dbd7d0', ink: '#1f1915', quiet: '#5e5650', rule: '#9b1f1d' },
  dark: { paper: '#15120f', line: '#36322d', ink: '#e2ddd5', quiet: '#aca79e', rule: '#f18a76' },
}

/** A quiet green for verified writers. */
const verifiedTone = {
  light: { paper: '#eaf8ee', line: '#a0caad', tick: '#23643f' },
  dark: { paper: '#102118', line: '#2f5740', tick: '#85d1a4' },
} as const

const height = 28
const edge = 11
const markGap = 8
const tickGap = 6
const tickSize = 15
const baseline = 18.9
const textSize = 14
const markSize = 17

export function drawBadge(t: Translator, { name, siteName, theme, verified, tone, shaped }: Badge): string {
  const palette = palettes[theme]
  const { paper, line, tick } =
    verified && tone === 'verified' ? verifiedTone[theme] : { ...palette, tick: palette.ink }
  const displayName = normaliseLine(name)
  const tickParts = verified ? [{ gap: tickGap }, tickIn(tick, paper)] : []
  return pill({
    label: verified ? t('embed.badge_verified', { name: displayName, site: siteName }) : `${displayName} · ${siteName}`,
    paper,
    line,
    mirrored: isRightToLeft(displayName),
    parts: [
      markOf(siteName, palette, shaped?.initial),
      { gap: markGap },
      nameText(displayName, palette.ink, shaped?.name),
      ...tickParts,
    ],
  })
}

/** Drawn instead of a badge if there is no such writer. */
function drawNotFound(t: Translator, theme: BadgeTheme): string {
  const { paper, line, quiet } = palettes[theme]
  const label = t('embed.badge_not_found')
  return pill({ label, paper, line, mirrored: t.dir === 'rtl', parts: [nameText(label, quiet)] })
}

/** A part of known width, drawn at an offset from the left; or a gap. */
type Part = { readonly width: number; draw(left: number): Xml } | { readonly gap: number }

interface Pill {
  readonly label: string
  readonly paper: string
  readonly line: string
  /** Laid out from the right, for right-to-left names. */
  readonly mirrored: boolean
  readonly parts: readonly Part[]
}

function pill({ label, paper, line, mirrored, parts }: Pill): string {
  const inner = parts.reduce((sum, part) => sum + widthOf(part), 0)
  const width = Math.ceil(inner + edge * 2)
  let left = (width - inner) / 2
  const drawn = (mirrored ? parts.toReversed() : parts).map((part) => {
    const at = left
    left += widthOf(part)
    return 'gap' in part ? undefined : part.draw(at)
  })
  return String(
    xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"><title>${label}</title><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${(height - 1) / 2}" fill="${paper}" stroke="${line}"/>${drawn}</svg>`,
  )
}

const widthOf = (part: Part): number => ('gap' in part ? part.gap : part.width)

/** The first character of the site's name with a rule under it, like a standfirst under a headline. */
function markOf(siteName: string, { ink, rule }: Palette, shaped: FittedText | undefined): Part {
  const { ems, path } = shaped ?? fitText(initialOf(siteName), textToPath)
  const width = Math.max((path === undefined ? 0 : ems) * markSize, 9)
  return {
    width,
    draw: (left) =>
      xml`${path !== undefined && outlined(path, left, 18.2, markSize, ink)}<rect x="${round(left)}" y="21" width="${round(width * 0.8)}" height="1.6" fill="${rule}"/>`,
  }
}

const initialOf = (siteName: string): string => graphemesOf(siteName)[0] ?? ''

/** Outlines if there are fonts for all characters; otherwise text in the reader's font, fitted to the pill. */
function nameText(text: string, ink: string, shaped?: FittedText): Part {
  const { fitted, ems, path } = shaped ?? fitText(text, textToPath)
  const width = ems * textSize
  return {
    width,
    draw: (left) =>
      path === undefined
        ? xml`<text x="${round(left + width / 2)}" y="${baseline}" font-family="system-ui,sans-serif" font-size="${textSize}" font-weight="600" text-anchor="middle" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"${isRightToLeft(fitted) && xml` direction="rtl"`} fill="${ink}">${fitted}</text>`
        : outlined(path, left, baseline, textSize, ink),
  }
}

const outlined = (path: string, left: number, base: number, size: number, ink: string): Xml =>
  xml`<path transform="translate(${round(left)} ${base}) scale(${size / 1000} ${-size / 1000})" fill="${ink}" d="${path}"/>`

function tickIn(colour: string, paper: string): Part {
  const middle = height / 2
  return {
    width: tickSize,
    draw: (left) => {
      const centre = left + tickSize / 2
      return xml`<circle cx="${round(centre)}" cy="${middle}" r="${tickSize / 2}" fill="${colour}"/><path d="M${round(centre - 3.3)} ${round(middle + 0.2)}l2.3 2.4 4.4-4.9" fill="none" stroke="${paper}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`
    },
  }
}

/** Rounds to a tenth of a pixel, finer than any screen. */
const round = (value: number): number => Math.round(value * 10) / 10

const type = 'image/svg+xml'
const svg = (description: string) => ({ description, content: { [type]: { schema: Type.String() } } })

const BadgeQuery = Type.Object({
  theme: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'string',
      enum: ['light', 'dark'],
      default: 'light',
      description: 'Which ground it stands on. Any other value is `light`.',
    }),
  ),
  tone: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'string',
      enum: ['verified'],
      description: 'Asks for the tone of verified writers. It changes nothing for those who are not.',
    }),
  ),
})

/** An embedded image must not break because of its query: unknown or repeated parameters fall back to the default. */
const acceptAnything: FastifySchemaCompiler<unknown> = () => (value) => ({ value })

/** GET /embed/{slug}/badge.svg */
export const badgeRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate, siteInfo }) => {
  const t = translatorOf(siteInfo.language)
  const shaper = createTextShaper(siteInfo.language)
  app.addHook('onClose', () => shaper.close())
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/embed/:slug/badge.svg',
    {
      onRequest: gate('single', 'read'),
      validatorCompiler: acceptAnything,
      schema: {
        operationId: 'getBadge',
        tags: ['Authors'],
        summary: "An author's badge",
        description:
          "A pill with the author's name, for other sites, whole in itself. The tick is drawn only where the identity is verified. A former slug shows the current name.",
        params: OneAuthor,
        querystring: BadgeQuery,
        response: {
          ...failures(),
          200: svg('The badge.'),
          404: svg('No author has this slug: a grey pill that says so.'),
        },
      },
    },
    async ({ params, query }, reply) => {
      const found = await authorAt(reads, params.slug)
      const theme = query.theme === 'dark' ? 'dark' : 'light'
      reply.type(type)
      if (!found) return reply.code(404).send(drawNotFound(t, theme))
      const { name, slug, identity_verified: verified } = found.author
      const tone = query.tone === 'verified' ? 'verified' : 'plain'
      const siteName = siteInfo.name
      const shaped = {
        name: await shaper.fit(normaliseLine(name)),
        initial: await shaper.fit(initialOf(siteName)),
      }
      return withCacheTags(reply, drawBadge(t, { name, siteName, theme, verified, tone, shaped }), tagsOfByline(slug))
    },
  )
}
