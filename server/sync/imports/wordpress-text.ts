import { type Message, message } from '#messages/message.ts'

/** The text of a WordPress post as HTML: its blocks, footnotes, short codes, and paragraphs that are only blank lines. */
export function withBlocks(content: string, footnotes: string): { html: string; lost: Message[] } {
  const lost: Message[] = []
  const hasBlocks = /<!-{2}\s*wp:/.test(content)
  const coded = withoutShortCodes(hasBlocks ? withoutBlockMarks(content) : content, lost)
  return { html: `${hasBlocks ? `${coded}${notesOf(footnotes)}` : withParagraphs(coded)}`, lost }
}

/** Embeds are an address alone in their block. */
const withoutBlockMarks = (content: string): string =>
  content
    .replace(
      /<div class="wp-block-embed__wrapper">\s*(https?:\/\/[^\s<"]{1,2000})\s*<\/div>/g,
      (_, address: string) => `<iframe src="${address}"></iframe>`,
    )
    .replace(/<!-{2}\s*\/?wp:[\s\S]*?-->/g, '')

/** Gutenberg keeps them beside the text, as JSON; the text links to them. */
function notesOf(footnotes: string): string {
  if (footnotes === '') return ''
  try {
    const notes: unknown = JSON.parse(footnotes)
    const items = (Array.isArray(notes) ? notes : [])
      .map((note) => Object(note))
      .filter(({ id, content }) => typeof id === 'string' && /^[\w-]+$/.test(id) && typeof content === 'string')
      .map(({ id, content }) => `<li id="${id}">${content} <a href="#${id}-link">↩</a></li>`)
    return items.length > 0 ? `<ol>${items.join('')}</ol>` : ''
  } catch {
    return ''
  }
}

const shortCode = /\[(\/?)([a-z][\w-]{1,40})((?:\s[^\]<>]{0,500})?)\](?!\()/g
/** Theirs and those of the commonest plugins; anything else in brackets is text. */
const known = new Set(
  'gallery playlist audio video embed contact-form contact-form-7 wpforms youtube vimeo tweet soundcloud code sourcecode jetpack_subscription_form'.split(
    ' ',
  ),
)

function withoutShortCodes(content: string, lost: Message[]): string {
  return content
    .replace(
      /\[caption[^\]]{0,1000}\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]{0,2000}?)\[\/caption\]/g,
      '<figure>$1<figcaption>$2</figcaption></figure>',
    )
    .replace(
      /\[(?:embed|youtube|vimeo)\b[^\]]{0,300}?\]?\s*=?\s*(https?:\/\/[^\s<"\]]{1,2000})\s*(?:\]|\[\/(?:embed|youtube|vimeo)\])/g,
      '<iframe src="$1"></iframe>',
    )
    .replace(
      /\[(?:source)?code(?:\s+(?:lang|language)="?([\w+#.-]{1,40})"?)?[^\]]{0,200}\]([\s\S]*?)\[\/(?:source)?code\]/g,
      (_, language: string | undefined, text: string) =>
        `<pre class="lang-${language ?? ''}">${text.trim().replaceAll('<', '&lt;')}</pre>`,
    )
    .replace(shortCode, (whole, closing: string, name: string) => {
      if (!known.has(name)) return whole
      if (!closing) lost.push(message('import.wordpress.short_code', { code: `[${name}]` }))
      return ''
    })
}

const blockStart =
  /^\s*<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|pre|table|t[rdh]|t(?:body|head|foot)|figure|hr|iframe|section|dl|d[td]|form)\b/i

/** In the classic editor a blank line is a paragraph and a line end a line break, except in preformatted text. */
const withParagraphs = (content: string): string =>
  content
    .replace(/\r\n?/g, '\n')
    .split(/(<pre\b[\s\S]*?<\/pre>)/i)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .split(/\n\s*\n/)
            .map(paragraph)
            .join('\n'),
    )
    .join('\n')

function paragraph(text: string): string {
  if (text.trim() === '' || blockStart.test(text)) return text
  const address = /^https?:\/\/[^\s<"]{1,2000}$/.exec(text.trim())?.[0]
  if (address) return `<iframe src="${address}"></iframe>`
  return `<p>${text.trim().replace(/\n/g, '<br>')}</p>`
}
