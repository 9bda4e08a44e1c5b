import type { ProductHit } from '#features/products/schema.ts'
import { type Html, html } from '#platform/html.ts'

/** "€19.00", "US$1,200.00", "¥1,900", "Free": the same for every reader, whose page is kept for all. */
function priceWords({ amount, currency }: NonNullable<ProductHit['price']>): string {
  if (Number(amount) === 0) return 'Free'
  // Some currencies have no smaller unit; where a seller gave parts all the same, they are shown.
  const hasParts = !amount.endsWith('.00')
  const format = formatOf(currency, hasParts)
  return format.format(Number(amount))
}

const formats = new Map<string, Intl.NumberFormat>()

/** There are some 300 currencies, and making a format takes longer than using it. */
function formatOf(currency: string, hasParts: boolean): Intl.NumberFormat {
  const key = `${currency} ${hasParts}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    ...(hasParts ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : {}),
  })
  formats.set(key, made)
  return made
}

/** Isolated, as dates are: among words from right to left its figures would change places. */
export const price = (given: ProductHit['price']): Html | null =>
  given && html`<data class="price" value="${given.amount}" dir="ltr">${priceWords(given)}</data>`
