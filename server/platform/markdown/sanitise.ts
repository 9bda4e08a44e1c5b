import sanitizeHtml, { type Attributes, type Tag, type Transformer } from 'sanitize-html'

/**
 * A second, independent barrier: only these tags, attributes and values are output, whatever the first let through. Its
 * format is markdown-it's, so that clean text passes unchanged.
 */

const ids = /^(?:s|fn|fnref)-[\p{L}\p{M}\p{N}-]{1,80}$/u
const addresses = /^(?:https?:\/\/|mailto:|#|\/media\/[0-9a-f]{64}$)/i
const pictures = /^(?:https:\/\/|\/media\/[0-9a-f]{64}$)/i
const sizes = /^[1-9]\d{0,3}$/

const only =
  (name: string, shape: RegExp): Transformer =>
  (tagName, attribs): Tag => {
    const value = attribs[name]
    if (value === undefined || shape.test(value)) return { tagName, attribs }
    const { [name]: _, ...others } = attribs
    return { tagName, attribs: others }
  }

const withId = only('id', ids)
const withAddress = only('href', addresses)

const rel = { name: 'rel', values: ['ugc nofollow noopener noreferrer'] }

/** External links are marked as user-generated content. */
const link: Transformer = (tagName, given): Tag => {
  const { attribs } = withId(tagName, withAddress(tagName, given).attribs)
  const leadsOut = attribs['href'] !== undefined && !attribs['href'].startsWith('#')
  return { tagName, attribs: leadsOut ? { ...attribs, rel: rel.values[0]! } : attribs }
}

/** Without an allowed URL an image is replaced by its description. */
function picture(tagName: string, { width = '', height = '', ...attribs }: Attributes): Tag {
  if (!pictures.test(attribs['src'] ?? '')) return { tagName: 'span', attribs: {}, text: attribs['alt'] ?? '' }
  const size: Attributes = sizes.test(width) && sizes.test(height) ? { width, height } : {}
  const { loading: _, decoding: __, ...others } = attribs
  return { tagName, attribs: { ...others, ...size, loading: 'lazy', decoding: 'async' } }
}

/** A disabled checkbox. */
const box = (tagName: string, { checked }: Attributes): Tag => ({
  tagName,
  attribs: { type: 'checkbox', disabled: '', ...(checked === undefined ? {} : { checked: '' }) },
})

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const allowed: sanitizeHtml.IOptions & { allowedEmptyAttributes: string[] } = {
  // Searched linearly for every tag: the most frequent ones first.
  allowedTags: [
    ...'td tr p li ul span a em strong del code br img sup blockquote ol pre hr label input section figure figcaption'.split(
      ' ',
    ),
    ...['table', 'thead', 'tbody', 'th', ...headings],
  ],
  allowedAttributes: {
    ...Object.fromEntries(headings.map((heading) => [heading, ['id']])),
    a: ['href', 'title', 'id', rel, { name: 'role', values: ['doc-noteref', 'doc-backlink'] }],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding'],
    input: ['type', 'disabled', 'checked'],
    li: ['id'],
    ol: ['start'],
    section: [{ name: 'role', values: ['doc-endnotes'] }],
    sup: ['id'],
    th: [{ name: 'align', values: ['left', 'center', 'right'] }],
    td: [{ name: 'align', values: ['left', 'center', 'right'] }],
  },
  allowedClasses: {
    a: ['footnote-backref'],
    code: [/^language-[\w+#.-]{1,40}$/],
    figure: ['wide', 'full'],
    li: ['task-list-item'],
    ol: ['contains-task-list'],
    section: ['footnotes'],
    // `hljs-title function_`: a scope and its modifier; `language-css`: a language embedded in another.
    span: [/^hljs-[a-z][a-z_-]{0,30}$/, /^[a-z]{1,20}_{1,3}$/, /^language-[a-z]{1,20}$/],
    sup: ['footnote-ref'],
    ul: ['contains-task-list'],
  },
  allowedEmptyAttributes: ['alt', 'checked', 'disabled'],
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  transformTags: {
    ...Object.fromEntries([...headings, 'li', 'sup'].map((name) => [name, withId])),
    a: link,
    img: picture,
    input: box,
    ol: only('start', /^\d{1,9}$/),
  },
  selfClosing: ['img', 'br', 'hr', 'input'],
  parser: { decodeEntities: true },
}

export const sanitise = (html: string): string => sanitizeHtml(html, allowed)
