import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import type { Translation } from '#features/pieces/schema.ts'
import { languageLabel } from '#http/language-label.ts'
import type { PageHead } from '#http/page-layout.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { nameIn } from '#platform/text/language.ts'
import { typographic } from '#platform/text/typography.ts'
import { langIn, safeUrl } from './byline.ts'

/**
 * The piece in each of its languages, for search engines: the first of each language, the same on the page of every version,
 * since a link counts only if the other page has it too. So neither a page whose canonical address is elsewhere has any, nor do
 * the others name it.
 */
export function languagesOf({ piece, versions }: PublishedPiece): PageHead['languages'] {
  if (safeUrl(piece.external_url) !== undefined) return undefined
  const found = versions.filter(({ external_url }) => safeUrl(external_url) === undefined)
  const original = found.find(({ is_original }) => is_original)
  const byTag = new Map<string, string>()
  for (const { language, url } of found) if (language !== 'und' && !byTag.has(language)) byTag.set(language, url)
  if (original) byTag.set('x-default', original.url)
  if (new Set(byTag.values()).size < 2) return undefined
  return [...byTag].map(([tag, url]) => ({ tag, url }))
}

/** Below the byline, each on a line of its own: what it was translated from, and what else it can be read in. */
export function translationLines(t: Translator, { piece, versions }: PublishedPiece): Html | undefined {
  const { language, translations } = piece
  if (!translations) return undefined
  const original = translations.find(({ is_original }) => is_original)
  const isOnlyOriginal = original !== undefined && translations.length === 1
  const lang = langIn(t, language)
  return html`${original && html`\n<p class="note"${lang}>${translatedFrom(t, original)}</p>`}${
    !isOnlyOriginal && html`\n<p class="note versions"${lang}>${languageSwitch(t, translations, versions)}</p>`
  }`
}

function translatedFrom(t: Translator, original: Translation): Html {
  const language = nameIn(t.language, original.language)
  const values = {
    title: linkTo(original, typographic(original.title, original.language)),
    author: html`<bdi>${original.authors[0]!.name}</bdi>`,
  }
  return language === null
    ? inHtml(t, 'site.piece.translation_of', values)
    : inHtml(t, 'site.piece.translated_from', { ...values, language })
}

/** Each language by its own name; with the author if there is more than one version in it. */
function languageSwitch(t: Translator, translations: readonly Translation[], versions: readonly Translation[]): Html {
  const links = translations.map((translation, at) => {
    const { language, title, authors } = translation
    const isOnly = versions.filter((version) => version.language === language).length < 2
    const label = languageLabel(t, language)
    const name = label.name === language ? title : label.name
    const link = linkTo(translation, isOnly ? name : `${name} (${authors[0]!.name})`, label.isOwn)
    // A line ends with a dot, and never begins with one.
    return at === 0 ? link : html`\u00a0· ${link}`
  })
  return inHtml(t, 'site.piece.read_in', { languages: html`${links}` })
}

const linkTo = ({ url, language }: Translation, text: string, isInLanguage = true): Html => {
  const isKnown = language !== 'und'
  const lang = isKnown && isInLanguage && html` lang="${language}"`
  return html`<a href="${url}" rel="alternate"${lang}${isKnown && html` hreflang="${language}"`} dir="auto">${text}</a>`
}
