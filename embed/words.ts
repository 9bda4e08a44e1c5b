import { compile } from '../server/messages/compile.ts'
import type { PlainMessageId } from '../server/messages/message.ts'
import { catalogueOf, type Translator } from '../server/messages/translator.ts'
import type { Words } from './source/widgets.ts'

/** The words of the widgets, for the server and for embed.js. */
export function widgetWords({ language, locale, dir }: Translator, site?: string): Words {
  const catalogue = catalogueOf(language)
  const text = (id: PlainMessageId): string => catalogue[id]!
  return {
    language,
    locale,
    dir,
    ...(site === undefined ? {} : { site }),
    identityVerified: text('embed.identity_verified'),
    websiteVerified: text('embed.website_verified'),
    noPieces: text('embed.no_pieces'),
    allPieces: text('embed.all_pieces'),
    newsletter: text('embed.newsletter'),
    follow: text('site.follow.submit'),
    piecesLast: compile(catalogue['embed.pieces_last']!),
    piecesBy: compile(catalogue['embed.pieces_by']!),
  }
}

/** The first line of embed.js. The rest is the same in every language. */
export const wordsLine = (words: Words): string => `try{const words=${JSON.stringify(words)};`
