import fc from 'fast-check'
import { languages } from '../server/platform/markdown/languages.ts'

/** Bodies of 100,000 characters that are hard to set: what is known to be slow in parsers, and what multiplies. */

export const longest = 100_000

/** `unit` over and over, after `head`, as long as a body may be. */
const fill = (unit: string, head = ''): string =>
  head + unit.repeat(Math.ceil((longest - head.length) / unit.length)).slice(0, longest - head.length)

const nested = (open: string, middle: string, close: string): string => {
  const depth = Math.floor((longest - middle.length) / (open.length + close.length))
  return open.repeat(depth) + middle + close.repeat(depth)
}

const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => row(index))
    .join('\n')
    .slice(0, longest)

const header = (columns: number, delimiter = '|-'): string =>
  `${'|a'.repeat(columns)}|\n${delimiter.repeat(columns)}|\n`

const marks: Record<string, string> = {
  'stars after an address': `https://a.example/${'*'.repeat(70_000)}`,
  'addresses of mail': fill('a@b.com\n'),
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
  'spaces between two words': `a${' '.repeat(longest - 2)}b`,
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
  'one address of other scripts': `[a](https://${'é'.repeat(longest - 20)})`,
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
  'marks on one letter': `a${'\u0301'.repeat(longest - 1)}`,
  'marks on every letter': fill(`a${'\u0301\u0327\u0489'.repeat(20)}`),
  'families of emoji': '👩‍👩‍👧‍👦'.repeat(longest / 7),
  emoji: '😀'.repeat(longest),
  'Han characters, all different': Array.from({ length: longest }, (_, i) =>
    String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000)),
  ).join(''),
  'syllables in parts': fill('\u1112\u1161\u11ab'),
  'overrides of direction': fill('\u202E'),
  'isolates that close what is not open': '\u202A'.repeat(longest / 2) + '\u2069'.repeat(longest / 2),
  'overrides in code': fill('\u202E\n', '```\n'),
  'tags that hide a sentence': `🏴${'\u{E0041}'.repeat(longest - 1)}`,
}

export const hardBodies: readonly (readonly [name: string, body: string])[] = Object.entries({
  ...marks,
  ...links,
  ...blocks,
  ...tables,
  ...notes,
  ...characters,
})

/** What patterns of code trip over: repeated until a fence, and then the piece, may be coloured no further. */
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
  return stumbles.map(fence).join('\n').slice(0, longest)
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
  .map((body) => body.slice(0, longest).toWellFormed())
