import { type FieldProblem, invalid } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasVisible, normalise, normaliseLineWithin, webAddress } from '#platform/text/normalise.ts'
import { slugInAnyScript } from '#platform/text/slug.ts'
import { type CreateProductBody, type EditProductBody, longest } from './schema.ts'

/** Columns of app.products; single lines are normalised. */
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

export const normalizeListing = (input: CreateProductBody): StoredListing => ({
  ...empty,
  ...(normalizeChanges(input) as Pick<StoredListing, 'name' | 'payment_url'>),
})

/** Only the fields that were sent. */
export function normalizeChanges(input: EditProductBody): Partial<StoredListing> {
  const problem = descriptionProblem(input.description)
  if (problem) throw invalid([problem])
  return {
    ...(input.name === undefined ? {} : { name: normaliseLineWithin(input.name, longest.name) }),
    ...(input.summary === undefined ? {} : { summary: cleanLine(input.summary, longest.summary) }),
    ...(input.description === undefined ? {} : { description: cleanParagraphs(input.description) }),
    ...(input.price === undefined
      ? {}
      : { price: input.price?.amount ?? null, currency: input.price?.currency ?? null }),
    ...(input.category === undefined ? {} : { category: cleanLine(input.category, longest.category) }),
    ...(input.image === undefined ? {} : { image: input.image }),
    ...(input.image_alt === undefined ? {} : { image_alt: cleanLine(input.image_alt, longest.imageAlt) }),
    ...(input.payment_url === undefined ? {} : { payment_url: webAddress(input.payment_url)! }),
    ...(input.related === undefined ? {} : { related: input.related }),
  }
}

const cleanLine = (input: string | null, maxLength: number): string | null =>
  input !== null && hasVisible(input) ? normaliseLineWithin(input, maxLength) : null

/** Direction overrides would affect the text around them. */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu

/** At most one empty line between paragraphs. */
const cleanParagraphs = (input: string | null): string | null =>
  input !== null && hasVisible(input)
    ? normalise(input.replace(bidiControls, ''))
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    : null

/** Checked after normalising, which turns a few characters into two. */
function descriptionProblem(input: string | null | undefined): FieldProblem | undefined {
  const actual = [...(cleanParagraphs(input ?? null) ?? '')].length
  if (actual <= longest.description) return undefined
  const detail = `must have at most ${longest.description} characters`
  return { pointer: '/description', code: 'too_long', detail, limit: longest.description, actual }
}

const longestSlug = 80

/** Columns the database cannot derive. */
export const derivedFrom = ({ name, summary, description, category }: StoredListing) => ({
  slug: slugInAnyScript(name, longestSlug, 'listing'),
  nameFolded: fold(name),
  searchText: [name, summary, category, description].map((part) => fold(part ?? '')).join('\n'),
})
