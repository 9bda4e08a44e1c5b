import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Renderer } from '../server/features/pieces/rendering/renderer.ts'
import { ServiceError } from '../server/platform/errors.ts'
import { largestTextBody } from '../server/platform/http/caching.ts'
import { languages } from '../server/platform/markdown/code.ts'

/** Bodies of 100,000 characters that are hard to render: known to be slow in parsers, or with large output. */

export const maxBodyLength = 100_000

/** `unit` over and over, after `head`, as long as a body may be. */
const fill = (unit: string, head = ''): string =>
  head + unit.repeat(Math.ceil((maxBodyLength - head.length) / unit.length)).slice(0, maxBodyLength - head.length)

const nested = (open: string, middle: string, close: string): string => {
  const depth = Math.floor((maxBodyLength - middle.length) / (open.length + close.length))
  return open.repeat(depth) + middle + close.repeat(depth)
}

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index))
    .join('\n')
    .slice(0, maxBodyLength)

const header = (columns: number, delimiter = '|-'): string =>
  `${'|a'.repeat(columns)}|\n${delimiter.repeat(columns)}|\n`

const marks: Record<string, string> = {
  'stars after an address': `https://a.example/${'*'.repeat(70_000)}`,
  'addresses of mail': fill('a@b.com\n'),
  'schemes alone': fill('https://'),
  'bare addresses': fill('https://a.b '),
  'hosts of www': fill('www.a.b '),
  'hosts without end': fill('www.a.'),
  'parentheses after bare addresses': fill('https://a.b/((( '),
  captions: fill('![a](https://b "c")\n\n'),
  'a caption used often': `${'![a]\n\n'.repeat(14_000)}[a]: https://b "${'*d* '.repeat(400)}"`,
  'stars alone': fill('*'),
  'openers of two kinds': fill('*a **a '),
  'openers that never fit': fill('**a__'),
  'openers inside words': fill('a**b'),
  'openers in turn': fill('*a_ '),
  'tildes alone': fill('~'),
  'struck words': fill('~~a~~'),
  'open tildes': fill('~~a '),
  'backticks alone': fill('`'),
  'backticks of every length': rows(446, (index) => `${'`'.repeat(index)}a`),
  'every mark there is': fill('*[`_~<&!'),
  'backslashes before brackets': fill('\\['),
  'spaces before the end of a line': fill('a  \n'),
  'spaces between two words': `a${' '.repeat(maxBodyLength - 2)}b`,
}

const links: Record<string, string> = {
  'brackets that open': fill('['),
  'brackets that open over lines': fill('[a\n'),
  'brackets in brackets': nested('[', 'a', ']'),
  'links in links': nested('[', 'a', '](https://x)'),
  'links without an end': fill('[a]('),
  'addresses without an end': fill('[a](<b'),
  'titles without an end': fill('[a](b "c'),
  'parentheses in an address': `[a](https://b${nested('(', '', ')').slice(30)})`,
  'pictures that never end': fill('![[]()'),
  'pictures in pictures': nested('![', 'a', '](https://x)'),
  'pictures in pictures by name': `[b]: https://x\n\n${nested('![', 'a', '][b]').slice(20, -20)}`,
  'definitions of one name': fill('[a]: https://b\n'),
  'definitions of many names': rows(5_000, (index) => `[a${index}]: https://b`),
  'definitions without an address': fill('[a]:\n'),
  'a title over many lines': fill('c\n', '[a]: https://b "'),
  'a long address used often': fill('[a]', `[a]: https://${'b'.repeat(50_000)}\n\n`),
  'a long title used often': fill('![a] ', `[a]: https://b "${'c'.repeat(2_000)}"\n\n`),
  'addresses that hide characters': fill('<https://a.example/%E2%80%8B>'),
  'hosts of other scripts': fill('[a](https://é.example)'),
  'one address of other scripts': `[a](https://${'é'.repeat(maxBodyLength - 20)})`,
  'angle brackets': fill('<'),
  'comments that open': fill('<!--'),
}

const blocks: Record<string, string> = {
  'quotes in quotes': fill('> '),
  'quotes one deeper each': rows(446, (index) => `${'> '.repeat(index)}a`),
  'lists in quotes': fill('> - '),
  'lines that lean on deep quotes': fill('b\n', `${'> '.repeat(49)}a\n`),
  'lists in lists': fill('- '),
  'lists ten deep': fill('- - - - - - - - - - a\n'),
  'lists one deeper each': rows(446, (index) => `${' '.repeat(index)}- a`),
  'lists with lines that lean on them': fill(`${'- '.repeat(20)}a\n${'b\n'.repeat(20)}`),
  'empty items': fill('-\n'),
  'items apart': fill('* a\n\n'),
  tasks: fill('- [ ] a\n'),
  'headings all alike': fill('# a\n'),
  'headings alike but for a number': rows(12_000, (index) => `# a-${index % 9}`),
  'headings without words': fill('#\n'),
  'underlined headings': fill('a\n=\n'),
  rules: fill('* * *\n'),
  'lines of one letter': fill('a\n'),
  'empty lines': fill('\n'),
  tabs: fill('a\t'),
  'fences that open': fill('```\n'),
  'fences of one line': fill('```js\na\n```\n'),
}

const tables: Record<string, string> = {
  'three hundred columns': fill('|b|c\n', header(300)),
  'three hundred columns, aligned': header(300, '|:-:') + 'b\n'.repeat(217),
  'sixty tables that fill up their rows': fill(`${header(300)}${'a\n'.repeat(217)}\n`),
  'as many columns as fit': header(24_000),
  'columns without names': `${'|'.repeat(30_001)}\n${'|-'.repeat(30_000)}|`,
  'two columns of nothing': fill('|\n', 'a|b\n-|-\n'),
}

const notes: Record<string, string> = {
  'notes that mention themselves': rows(5_000, (index) => `[^${index}]: a[^${index}]`),
  'notes that mention the next': `[^0]\n\n${rows(3_500, (index) => `[^${index}]: [^${index + 1}]`)}`,
  'a note for every mention': rows(9_000, (index) => (index < 4_500 ? `[^${index}]` : `[^${index - 4_500}]: a`)),
  'one note mentioned often': fill('[^1]', '[^1]: a\n\n'),
  'mentions that never end': fill('[^', '[^1]: a\n\n'),
  'notes in notes': fill('[^a]: '),
  'one note defined often': fill('[^a]: b\n\n    c\n\n'),
}

const characters: Record<string, string> = {
  entities: fill('&CounterClockwiseContourIntegral;'),
  'entities that cannot be seen': fill('&#x200B;'),
  ampersands: fill('&'),
  'entities without an end': fill('&#'),
  'quotation marks': fill('"'),
  'marks on one letter': `a${'\u0301'.repeat(maxBodyLength - 1)}`,
  'marks on every letter': fill(`a${'\u0301\u0327\u0489'.repeat(20)}`),
  'families of emoji': '👩‍👩‍👧‍👦'.repeat(maxBodyLength / 7),
  emoji: '😀'.repeat(maxBodyLength),
  'Han characters, all different': Array.from({ length: maxBodyLength }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000)),
  ).join(''),
  'syllables in parts': fill('\u1112\u1161\u11ab'),
  'overrides of direction': fill('\u202E'),
  'isolates that close what is not open': '\u202A'.repeat(maxBodyLength / 2) + '\u2069'.repeat(maxBodyLength / 2),
  'overrides in code': fill('\u202E\n', '```\n'),
  'tags that hide a sentence': `🏴${'\u{E0041}'.repeat(maxBodyLength - 1)}`,
}

export const hardBodies: readonly (readonly [name: string, body: string])[] = Object.entries({
  ...marks,
  ...links,
  ...blocks,
  ...tables,
  ...notes,
  ...characters,
})

/** Code that is slow to highlight, repeated up to the limits of a block and of a piece. */
const stumbles = [
  'a',
  'A_a',
  'a<a> ',
  'a$',
  '"',
  '(',
  '0 ',
  '> 0x',
  'class .',
  '<a ',
  '[a](',
  '{a(',
  ';public ',
  '\n a:\n',
]

export function hardCode(language: string): string {
  const fence = (unit: string) => `\`\`\`${language}\n${short(unit.repeat(6_000 / unit.length))}\n\`\`\`\n`
  return stumbles.map(fence).join('\n').slice(0, maxBodyLength)
}

/** With the breaks that code has, so that it is coloured at all. */
const short = (text: string): string => text.replace(/\S{90}/g, '$&\n')

const fragment = fc.oneof(
  fc.constantFrom(...'*_`~[]()<>!#-+|:=&\\"\'^$ \n\t', '\n\n', '> ', '- ', '1. ', '```', '```js\n', '![', '](', '[^1]'),
  fc.constantFrom(
    '[^1]: ',
    '[a]: https://b\n',
    '|-|-|\n',
    'https://',
    '&#x202E;',
    '\u202E',
    'é',
    '漢',
    '👩‍👧',
    '    ',
    '[ ] ',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/** What code is made of. */
const token = fc.constantFrom(
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \n\taA0é',
  ...[
    '/*',
    '*/',
    '//',
    '--',
    '"""',
    '=>',
    '->',
    '::',
    '${',
    '#{',
    '<<A\n',
    'a<a',
    'a(',
    '[a]',
    'x = ',
    '1e',
    '0x',
    '\\\n',
  ],
  ...[
    'class ',
    'def ',
    'fn ',
    'int ',
    'let ',
    'public ',
    'return ',
    'select ',
    'function ',
    'struct ',
    '@a',
    '$a',
    'a.',
  ],
)

const times = fc.nat({ max: 20_000 })
const unit = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))

/** A few fragments, repeated up to the length of a body, in parts. */
const anyText: fc.Arbitrary<string> = fc
  .array(fc.tuple(unit, times), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([unit, count]) => fill(unit || 'a').slice(0, unit.length * (count + 1))).join('\n\n'))

/** As large as a fence and a piece may be coloured. */
const anyCode: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...languages), fc.array(fc.tuple(token, token, token), { minLength: 2, maxLength: 3 }))
  .map(([language, units]) =>
    units.map((parts) => `\`\`\`${language}\n${short(fill(parts.join(''))).slice(0, 11_900)}\n\`\`\`\n`).join('\n'),
  )

export const anyBody: fc.Arbitrary<string> = fc
  .oneof(anyText, anyCode)
  .map((body) => body.slice(0, maxBodyLength).toWellFormed())

/** Feeds carry both. */
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/

/** Renders a body: a refusal for its size is fine, a killed thread is not. */
export async function renderOutcome(renderer: Renderer, name: string, body_md: string): Promise<'set' | 'refused'> {
  try {
    const { html, text } = await renderer.render({ headline: 'A headline', sub: null, body_md }, { by: name })
    assert.ok(Buffer.byteLength(html) <= 1_048_576, name)
    for (const one of [html, text]) assert.ok(one.isWellFormed() && !notInXml.test(one), name)
    return 'set'
  } catch (error) {
    assert.ok(error instanceof ServiceError, `${name}: ${error}`)
    assert.equal(error.reason, 'render_too_large', name)
    assert.match(error.message, /its HTML would be over 1 MiB\. The largest part is the .+ line \d+/, name)
    return 'refused'
  }
}

/** As much of this as a body may hold, in place of the `@`. */
const filled = (frame: string, unit: string, limit = largestTextBody) =>
  frame.replace('@', unit.repeat(Math.floor((limit - frame.length) / Buffer.byteLength(unit))))
const inPiece = (member: string) => `{"headline":"a","body_md":"b",${member}}`

/** Large invalid bodies, by what is wrong. */
export const heavyBodies: Record<string, string> = {
  'wrong tags': filled(inPiece('"tags":[@1]'), '1,'),
  'wrong tags in a tag': filled(inPiece('"tags":[[@1]]'), '1,'),
  'lists in a member that is not ours': filled(inPiece('"x":{"y":[@1]}'), '[],'),
  'objects beside a name that is looked for in each': filled(inPiece('"constructor":1,"x":[@1]'), '{},'),
  'members that are not ours': `{${Array.from({ length: 110_000 }, (_, number) => `"${number}":1`).join()}}`,
  'a list for a body': filled('[@1]', '1,'),
  'as many tags as are read, each too long and with NUL': inPiece(
    `"tags":[${Array(4_990)
      .fill(`"${'x'.repeat(250)}\\u0000"`)
      .join()}]`,
  ),
  'a headline of spaces': filled('{"headline":"@","body_md":"b"}', ' '),
  'a headline of emoji': filled('{"headline":"@","body_md":"b"}', '😀'),
  'a body of nothing to see': filled('{"headline":"a","body_md":"@"}', '\u{e0041}'),
  'a body of NUL': filled('{"headline":"a","body_md":"@"}', '\\u0000'),
  'an address without end': filled(inPiece('"external_url":"http://@ "'), 'a.'),
}
