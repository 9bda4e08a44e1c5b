import { type FieldProblem, invalid } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasVisible, normalise, normaliseLineWithin } from '#platform/text/normalise.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { webAddress } from '#platform/text/web-address.ts'
import { type CreateProductBody, type EditProductBody, longest } from './desk-schema.ts'

/** A listing as it is stored: lines made clean. Columns of app.products. */
export interface StoredListing {
  readonly name: string
  readonly summary: string | null
  readonly description: string | null
  readonly price: string | null
  readonly currency: string | null
  readonly category: string | null
  readonly image: string | null
  readonly image_alt: string | null
  readonly payment_url: string
  readonly related: readonly string[]
}

const empty: Omit<StoredListing, 'name' | 'payment_url'> = {
  summary: null,
  description: null,
  price: null,
  currency: null,
  category: null,
  image: null,
  image_alt: null,
  related: [],
}

export const listingOf = (given: CreateProductBody): StoredListing => ({
  ...empty,
  ...(changesOf(given) as Pick<StoredListing, 'name' | 'payment_url'>),
})

/** Only what was sent. */
export function changesOf(given: EditProductBody): Partial<StoredListing> {
  const problem = descriptionProblem(given.description)
  if (problem) throw invalid([problem])
  return {
    ...(given.name === undefined ? {} : { name: normaliseLineWithin(given.name, longest.name) }),
    ...(given.summary === undefined ? {} : { summary: cleanLine(given.summary, longest.summary) }),
    ...(given.description === undefined ? {} : { description: cleanParagraphs(given.description) }),
    ...(given.price === undefined
      ? {}
      : { price: given.price?.amount ?? null, currency: given.price?.currency ?? null }),
    ...(given.category === undefined ? {} : { category: cleanLine(given.category, longest.category) }),
    ...(given.image === undefined ? {} : { image: given.image }),
    ...(given.image_alt === undefined ? {} : { image_alt: cleanLine(given.image_alt, longest.imageAlt) }),
    ...(given.payment_url === undefined ? {} : { payment_url: webAddress(given.payment_url)! }),
    ...(given.related === undefined ? {} : { related: given.related }),
  }
}

const cleanLine = (given: string | null, most: number): string | null =>
  given !== null && hasVisible(given) ? normaliseLineWithin(given, most) : null

/** Overrides of direction would reach beyond the text they stand in. */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu

/** More than one empty line between paragraphs says nothing. */
const cleanParagraphs = (given: string | null): string | null =>
  given !== null && hasVisible(given)
    ? normalise(given.replace(bidiControls, ''))
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    : null

/** A few letters are two characters once they are clean. */
function descriptionProblem(given: string | null | undefined): FieldProblem | undefined {
  const actual = [...(cleanParagraphs(given ?? null) ?? '')].length
  if (actual <= longest.description) return undefined
  const detail = `must have at most ${longest.description} characters`
  return { pointer: '/description', code: 'too_long', detail, limit: longest.description, actual }
}

const longestSlug = 80

/** What the database cannot derive by itself. */
export const derivedFrom = ({ name, summary, description, category }: StoredListing) => ({
  slug: slugFrom(name, longestSlug, 'listing'),
  nameFolded: fold(name),
  searchText: [name, summary, category, description].map((part) => fold(part ?? '')).join('\n'),
})
