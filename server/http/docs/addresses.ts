import { type Html, html } from '#platform/html.ts'

/** One address of the service, as the list shows it. */
export interface ListedAddress {
  readonly section: string
  readonly path: string
  readonly title: string
  readonly about: string
  readonly method?: string
  readonly query?: string
}

export const everyAddress = (addresses: readonly ListedAddress[]): Html => html`<div class="prose">
<p>What stands in braces is yours to fill in. A test holds this list against the service, so it is whole.</p>
</div>
${addressSections.map(([name, title, about]) =>
  addressTable(
    title,
    about,
    addresses.filter((one) => one.section === name),
  ),
)}`

export const addressSections = [
  ['reading', 'Reading', 'JSON, open to every origin, with ETags and cursors.'],
  ['tools', 'Tools', 'The same for AI clients, by the Model Context Protocol.'],
  ['drafting', 'Drafting', "With a writer's key. No call makes anything public."],
  ['feeds', 'Feeds', 'JSON Feed 1.1 and RSS 2.0, whole pieces.'],
  ['markdown', 'Markdown', 'Authors and pieces as plain Markdown, for programs that read.'],
  ['embeds', 'Embeds', 'What other sites show.'],
  ['discovery', 'Discovery', 'What machines ask for first.'],
  ['pages', 'Pages', 'For people: whole without a script.'],
] as const

function addressTable(title: string, about: string, addresses: readonly ListedAddress[]): Html | false {
  if (addresses.length === 0) return false
  const id = title.toLowerCase()
  return html`<section class="addresses" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${about}</p>
<dl>
${addresses.map((address) => html`<div><dt>${addressOf(address)}</dt><dd>${address.about}</dd></div>\n`)}</dl>
</section>
`
}

/** A link where it can be followed as it stands. */
function addressOf({ path, method, query, section }: ListedAddress): Html {
  const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : part))
  const shown = html`<code>${method && html`<b>${method}</b> `}${parts}</code>`
  const needsMore = path.includes('{') || query?.includes('{') || method !== undefined || section === 'drafting'
  return needsMore ? shown : html`<a href="${query ? `${path}?${query}` : path}">${shown}</a>`
}
