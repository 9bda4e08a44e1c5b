import { isMap, LineCounter, parseDocument, visit } from 'yaml'
import { problem } from './imports/message-error.ts'

/** A Markdown file: its front matter and its text. */
export interface Page {
  readonly facts: Readonly<Record<string, unknown>>
  readonly body: string
}

const opening = /^---[ \t]*\r?\n/
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?![\s\S]))/m

/**
 * Front matter in YAML between two lines of `---`, an optional empty line, then the text byte for byte. Only in files
 * with Windows line endings are those converted: otherwise each checkout would be a new text.
 */
export function readPage(source: string): Page {
  const text = source.replace(/^\uFEFF/, '')
  if (/^\+\+\+[ \t]*\r?\n/.test(text)) {
    throw problem('import.toml', { line: 1, fence: '---' })
  }
  const opened = opening.exec(text)?.[0]
  if (opened === undefined) return { facts: {}, body: /(?<!\r)\n/.test(text) ? text : withoutReturns(text) }

  const rest = text.slice(opened.length)
  const closed = closing.exec(rest)
  if (!closed) {
    throw problem('import.front_matter_open', { line: 1, fence: '---' })
  }
  const body = rest.slice(closed.index + closed[0].length).replace(/^\r?\n/, '')
  return {
    facts: factsOf(rest.slice(0, closed.index)),
    body: opened.endsWith('\r\n') ? withoutReturns(body) : body,
  }
}

const withoutReturns = (text: string): string => text.replace(/\r\n/g, '\n')

/** Front matter begins in the second line of its file. */
const linesBefore = 1
/** A few YAML aliases are a convenience, thousands are an attack. */
const mostAliases = 20

function factsOf(yaml: string): Readonly<Record<string, unknown>> {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0])
    throw problem('import.not_yaml', { line: line + linesBefore, reason: error.message.split('\n')[0]! })
  }
  if (document.contents === null) return {}
  if (!isMap(document.contents)) {
    throw problem('import.front_matter_values', { line: 2, example: 'title: On tea', fence: '---' })
  }
  // Keeps numbers as written: "2.10" must not become "2.1".
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'number' && String(node.value) !== node.source) node.value = node.source
    },
  })
  try {
    return document.toJS({ maxAliasCount: mostAliases }) as Record<string, unknown>
  } catch {
    throw problem('import.too_many_aliases', { line: 2, most: mostAliases })
  }
}
