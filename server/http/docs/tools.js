/** The console: lists the tools, builds a form from the input schema, calls the tool and shows the result as text. */

/** @param {string} id */
const one = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/** From the catalogue, see routes.ts. @type {any} */
const words = JSON.parse(one('console').dataset.words ?? '{}')
/** @param {number} number */
const inLanguage = (number) => number.toLocaleString(document.documentElement.lang)

const form = /** @type {HTMLFormElement} */ (one('call'))
const chosen = /** @type {HTMLSelectElement} */ (one('tool'))

/** @type {Map<string, any>} */
const tools = new Map()

/**
 * @param {string} method
 * @param {object} params
 */
async function ask(method, params) {
  const message = { jsonrpc: '2.0', id: 1, method, params }
  const answer = await fetch('/api/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })
  return { message, answer: await answer.json() }
}

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {...(string | Node)} content
 */
function element(name, attributes = {}, ...content) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...content)
  return made
}

/**
 * @param {string} name
 * @param {any} schema
 * @param {boolean} needed
 */
function field(name, schema, needed) {
  const id = `argument-${name}`
  /** @type {Record<string, string>} */
  const about = { id, name, 'aria-describedby': `${id}-note`, ...(needed ? { required: '' } : {}) }
  /** @type {Record<string, string>} */
  const limits =
    schema.type === 'integer' ? { type: 'number', min: schema.minimum, max: schema.maximum } : { type: 'text' }
  const input = schema.enum
    ? element(
        'select',
        about,
        element('option', { value: '' }, schema.default ? words.default.replace('{value}', schema.default) : words.any),
        ...schema.enum.map((/** @type {string} */ value) => element('option', { value }, value)),
      )
    : element('input', {
        ...about,
        ...limits,
        ...(schema.maxLength ? { maxlength: schema.maxLength } : {}),
        ...(schema.default === undefined ? {} : { placeholder: String(schema.default) }),
        autocomplete: 'off',
        autocapitalize: 'none',
        spellcheck: 'false',
      })
  const label = element('label', { for: id }, element('code', {}, name), needed ? ` (${words.required})` : '')
  return element(
    'p',
    {},
    label,
    input,
    element('span', { id: `${id}-note`, class: 'console-note' }, schema.description),
  )
}

function draw() {
  const { description, inputSchema } = tools.get(chosen.value)
  const { properties, required = [] } = inputSchema
  one('about').textContent = description
  one('arguments').replaceChildren(
    ...Object.entries(properties).map(([name, schema]) => field(name, schema, required.includes(name))),
  )
}

/** The filled-in values; numbers as numbers. */
function given() {
  const { properties } = tools.get(chosen.value).inputSchema
  /** @type {Record<string, unknown>} */
  const all = {}
  for (const [name, value] of new FormData(form)) {
    if (value === '' || typeof value !== 'string') continue
    all[name] = properties[name]?.type === 'integer' && value.trim() !== '' ? Number(value) : value
  }
  return all
}

const isAddress = (/** @type {unknown} */ value) => typeof value === 'string' && /^https?:\/\//.test(value)

/**
 * @param {any} value
 * @returns {HTMLElement}
 */
function renderValue(value) {
  if (value === null || value === '')
    return element('span', { class: 'console-note' }, value === null ? words.none : words.empty)
  if (isAddress(value)) return element('a', { href: value, rel: 'nofollow noopener' }, value)
  if (Array.isArray(value)) {
    if (value.length === 0) return renderValue(null)
    return element('ol', {}, ...value.map((each) => element('li', {}, renderValue(each))))
  }
  if (typeof value === 'object') return members(value)
  const text = String(value)
  if (text.length < 400) return element('bdi', {}, text)
  return element(
    'details',
    {},
    element('summary', {}, words.characters.replace('{count}', inLanguage(text.length))),
    element('p', {}, text),
  )
}

/** @param {Record<string, unknown>} value */
const members = (value) =>
  element(
    'dl',
    {},
    ...Object.entries(value).map(([name, each]) =>
      element('div', {}, element('dt', {}, name), element('dd', {}, renderValue(each))),
    ),
  )

/** A list item: its name as a link, and its text. @param {any} item */
function listed(item) {
  const name = item.title ?? item.name ?? item.slug
  const address = item.url ?? item.urls?.profile
  const by = item.authors?.[0]?.name ?? item.seller?.name ?? item.role
  const excerpt = item.snippet ?? item.summary ?? item.bio_snippet
  const price = item.price ? `${item.price.amount} ${item.price.currency}` : undefined
  const line = [by, item.category, item.date_published?.slice(0, 10), price].filter(Boolean).join(' · ')
  return element(
    'li',
    {},
    element(
      'a',
      { href: isAddress(address) ? address : '#console', rel: 'nofollow noopener' },
      element('bdi', {}, name),
    ),
    ...(line ? [element('p', { class: 'console-note' }, line)] : []),
    ...(excerpt ? [element('p', {}, element('bdi', {}, excerpt))] : []),
  )
}

/**
 * @param {any} body
 * @param {Record<string, unknown>} asked What it answers.
 */
function readable({ ok: _, results, items, count, next_cursor: next, ...rest }, asked) {
  const list = results ?? items
  if (!list) return [...Object.values(rest).map((each) => renderValue(each))]
  const more = element('button', { type: 'button', class: 'console-more' }, words.next_page)
  more.addEventListener('click', () => {
    call({ ...asked, cursor: next }).catch(unreachable)
  })
  return [
    element('p', {}, count === 0 ? words.no_results : words.results.replace('{count}', inLanguage(count))),
    element('ol', { class: 'console-list' }, ...list.map(listed)),
    ...(next ? [more] : []),
  ]
}

/**
 * @param {any} answer
 * @param {Record<string, unknown>} asked
 */
function renderResult({ result, error }, asked) {
  if (error) return [element('p', { class: 'console-refusal' }, `${error.message} (${error.code})`)]
  if (result.isError) return [element('p', { class: 'console-refusal' }, result.content[0].text)]
  return readable(result.structuredContent, asked)
}

/** Ignores responses to earlier calls. */
let question = 0

async function call(asked = given()) {
  question += 1
  const mine = question
  one('said').textContent = words.calling
  const began = performance.now()
  const { message, answer } = await ask('tools/call', { name: chosen.value, arguments: asked })
  if (mine !== question) return
  one('asked').textContent = JSON.stringify(message, null, 2)
  one('raw').textContent = JSON.stringify(answer, null, 2)
  one('shown').replaceChildren(...renderResult(answer, asked))
  one('answer').hidden = false
  one('said').textContent = words.done.replace('{ms}', inLanguage(Math.round(performance.now() - began)))
  one('shown').focus({ preventScroll: true })
  one('answer').scrollIntoView({ block: 'nearest' })
}

const unreachable = () => {
  one('said').textContent = words.failed
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  call().catch(unreachable)
})
chosen.addEventListener('change', () => {
  question += 1
  draw()
  one('answer').hidden = true
  one('said').textContent = ''
})

ask('tools/list', {})
  .then(({ answer }) => {
    for (const tool of answer.result.tools) {
      tools.set(tool.name, tool)
      chosen.append(element('option', { value: tool.name }, `${tool.title} (${tool.name})`))
    }
    chosen.value = 'search_pieces'
    draw()
    form.hidden = false
  })
  .catch(() => {
    one('console').append(element('p', {}, words.not_loaded))
  })
