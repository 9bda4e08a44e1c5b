import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { english } from './layout.ts'

/** One public address, as listed on the page. */
export interface ListedAddress {
  readonly section: string
  readonly path: string
  readonly title: string
  readonly about: string
  readonly method?: string
  readonly query?: string
}

export const addressIndex = (t: Translator, addresses: readonly ListedAddress[]): Html => html`<div class="prose">
<p>${t('docs.endpoints.intro')}</p>
</div>
${addressSections.map((section) =>
  addressTable(
    t,
    section,
    addresses.filter((one) => one.section === section),
  ),
)}`

export const addressSections = [
  'reading',
  'tools',
  'drafting',
  'feeds',
  'markdown',
  'embeds',
  'discovery',
  'pages',
] as const

function addressTable(
  t: Translator,
  section: (typeof addressSections)[number],
  addresses: readonly ListedAddress[],
): Html | false {
  if (addresses.length === 0) return false
  return html`<section class="addresses" aria-labelledby="${section}">
<h2 id="${section}">${t(`docs.endpoints.${section}`)}</h2>
<p>${t(`docs.endpoints.${section}_about`)}</p>
<dl${english(t)}>
${addresses.map((address) => html`<div><dt>${addressOf(address)}</dt><dd>${address.about}</dd></div>\n`)}</dl>
</section>
`
}

/** A link if the address works as it is. */
function addressOf({ path, method, query, section }: ListedAddress): Html {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part))
  const code = html`<code>${method && html`<b>${method}</b> `}${parts}</code>`
  const needsMore = path.includes('{') || query?.includes('{') || method !== undefined || section === 'drafting'
  return needsMore ? code : html`<a href="${query ? `${path}?${query}` : path}">${code}</a>`
}
