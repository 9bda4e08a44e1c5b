import type {
  CreateProductBody,
  DeskProduct,
  longest,
  mostRelated,
} from '../../../../server/features/products/desk-schema.ts'

export type { DeskProduct }

/** In characters. Typed by the server's own, so that the two cannot differ. */
export const limits: typeof longest = {
  name: 120,
  summary: 300,
  description: 10_000,
  category: 40,
  imageAlt: 300,
  address: 2048,
}
export const relatedAtMost: typeof mostRelated = 8

export type Related = Pick<DeskProduct['related'][number], 'id' | 'headline' | 'is_public'>

/** What the form holds: an empty line is nothing said. */
export interface Said {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly amount: string
  readonly currency: string
  readonly category: string
  readonly image: string
  readonly image_alt: string
  readonly payment_url: string
  readonly related: readonly Related[]
}

/** `currency` is what the writer last used: most sell in one. */
export const nothingSaid = (currency: string): Said => ({
  name: '',
  summary: '',
  description: '',
  amount: '',
  currency,
  category: '',
  image: '',
  image_alt: '',
  payment_url: '',
  related: [],
})

export const saidBy = (product: DeskProduct, currency: string): Said => ({
  name: product.name,
  summary: product.summary ?? '',
  description: product.description ?? '',
  amount: product.price?.amount ?? '',
  currency: product.price?.currency ?? currency,
  category: product.category ?? '',
  image: product.image ?? '',
  image_alt: product.image_alt ?? '',
  payment_url: product.payment_url,
  related: product.related,
})

const orNothing = (text: string): string | null => (text.trim() ? text : null)

/** As the server takes it: people write 19,50 too, and leave out the scheme of an address. */
export function sentOf(said: Said): CreateProductBody {
  const amount = said.amount.trim().replace(',', '.')
  return {
    name: said.name,
    summary: orNothing(said.summary),
    description: orNothing(said.description),
    price: amount ? { amount, currency: said.currency } : null,
    category: orNothing(said.category),
    image: said.image || null,
    image_alt: said.image ? orNothing(said.image_alt) : null,
    payment_url: webAddressOf(said.payment_url),
    related: said.related.map(({ id }) => id),
  }
}

function webAddressOf(typed: string): string {
  const address = typed.trim()
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}

export const isSame = (one: Said, other: Said): boolean => JSON.stringify(sentOf(one)) === JSON.stringify(sentOf(other))

/** Where a buyer is sent; nothing while it is no whole address. */
export const hostOf = (said: Said): string | undefined =>
  URL.parse(webAddressOf(said.payment_url))?.host.replace(/^www\./, '') || undefined

/** As the public pages have it: €19.00, ¥1,900, Free. What is no number yet stands as it is typed. */
export function priceInWords({ amount, currency }: Pick<Said, 'amount' | 'currency'>): string {
  const value = amount.trim().replace(',', '.')
  if (value === '') return ''
  if (!/^\d+(\.\d*)?$/.test(value)) return `${value} ${currency}`
  if (Number(value) === 0) return 'Free'
  const parts = Number.isInteger(Number(value)) ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency, ...parts }).format(Number(value))
}
