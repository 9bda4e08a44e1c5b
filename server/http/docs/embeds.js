/** The playground: writes the code to paste and uses the widget itself as the preview. */

/** @param {string} id */
const one = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

const { base = '', pinned = '', integrity = '', sizes = '{}', words: given = '{}' } = one('playground').dataset
/** From the catalogue, see embeds.ts. @type {any} */
const words = JSON.parse(given)
/** @type {Record<string, { width: number, height: number }>} */
const frameSizes = JSON.parse(sizes)
const form = /** @type {HTMLFormElement} */ (one('choices'))
const preview = one('preview')

const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** The form's values without those that are the default. */
function choices() {
  const data = new FormData(form)
  const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim()
  const kind = text('kind')
  const limit = Math.min(20, Math.max(1, Math.trunc(Number(text('limit'))) || 5))
  /** @type {Record<string, string>} */
  const look = {}
  if (text('theme') !== 'light') look.theme = text('theme')
  if (kind === 'list' && limit !== 5) look.limit = String(limit)
  if (text('tone')) look.tone = 'verified'
  if (data.has('own')) look.accent = text('accent')
  // People paste a whole address.
  const slug =
    (text('slug')
      .toLowerCase()
      .match(/(?:\/author\/)?([^/]+)\/?$/) ?? [])[1] ?? ''
  return { slug, kind, look, known: slugShape.test(slug) }
}

/** Writers' names by slug, as far as they were looked up. @type {Map<string, string>} */
const names = new Map()

/** Escapes a name for HTML. @param {string} text */
const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** @param {string} slug */
async function learnName(slug) {
  names.set(slug, '')
  try {
    const { author } = await (await fetch(`/api/public/authors/${slug}`)).json()
    if (!author) return
    names.set(slug, author.name)
    write(choices())
  } catch {
    // Use the slug as the name; the next visit asks again.
  }
}

/** @param {ReturnType<typeof choices>} chosen */
function snippets({ slug, kind, look, known }) {
  const writer = known ? slug : 'their-name'
  const name = escaped(names.get(slug) || writer)
  const attributes = Object.entries(look).map(([name, value]) => ` data-${name}="${value}"`)
  const element = `<div data-service-widget="${kind}" data-slug="${writer}"${attributes.join('')}>
  <a href="${base}/author/${writer}">${name}</a>
</div>`
  const query = new URLSearchParams(look).toString()
  const { width, height } = frameSizes[kind] ?? { width: 480, height: 300 }
  const picture = new URLSearchParams(
    Object.entries(look).filter(([name, value]) => name === 'tone' || value === 'dark'),
  )
  const pictureQuery = picture.size > 0 ? `?${picture}` : ''
  return {
    'by-script': `${element}\n<script async src="${base}/embed.js"></script>`,
    'by-pinned': `${element}\n<script async src="${pinned}"\n  integrity="${integrity}"\n  crossorigin="anonymous"></script>`,
    'by-frame': `<iframe src="${base}/embed/${writer}/${kind}${query && `?${query.replaceAll('&', '&amp;')}`}"
  width="${width}" height="${height}" title="${name}" loading="lazy" style="border:0;max-width:100%;vertical-align:bottom"></iframe>`,
    'by-picture': `<a href="${base}/author/${writer}"><img height="28" alt="${name}"
  src="${base}/embed/${writer}/badge.svg${pictureQuery.replaceAll('&', '&amp;')}"></a>`,
    'by-oembed': `${base}/oembed?url=${encodeURIComponent(`${base}/author/${writer}`)}`,
  }
}

/** @param {ReturnType<typeof choices>} chosen */
function write(chosen) {
  for (const [id, text] of Object.entries(snippets(chosen))) one(id).textContent = text
}

function show() {
  const chosen = choices()
  if (chosen.known && !names.has(chosen.slug)) learnName(chosen.slug)
  one('limit-row').hidden = chosen.kind !== 'list'
  one('ground').dataset.theme = chosen.look.theme ?? 'light'
  write(chosen)
  preview.textContent = chosen.known ? words.unknown_writer.replace('{slug}', chosen.slug) : words.enter_writer
  const attributes = { serviceWidget: chosen.kind, slug: chosen.known ? chosen.slug : '', ...chosen.look }
  for (const name of ['theme', 'limit', 'tone', 'accent']) if (!(name in attributes)) delete preview.dataset[name]
  Object.assign(preview.dataset, attributes)
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing
form.addEventListener('input', (event) => {
  clearTimeout(typing)
  // Debounced: no request per keystroke.
  typing = setTimeout(show, event.target === one('slug') ? 350 : 0)
})
form.addEventListener('submit', (event) => event.preventDefault())

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    const source = one(button.dataset.copies ?? '')
    try {
      await navigator.clipboard.writeText(source.textContent ?? '')
      showLabel(button, words.copied)
    } catch {
      // No clipboard permission: select the text so that the keyboard can copy it.
      getSelection()?.selectAllChildren(source)
      showLabel(button, words.selected)
    }
  })
}

/**
 * @param {HTMLElement} button
 * @param {string} label
 */
function showLabel(button, label) {
  button.textContent = label
  one('copied').textContent = label
  setTimeout(() => {
    button.textContent = words.copy
    one('copied').textContent = ''
  }, 2000)
}

show()
