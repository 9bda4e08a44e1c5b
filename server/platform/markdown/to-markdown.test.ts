import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from './render.ts'
import { toMarkdown } from './to-markdown.ts'
import { wordsAsMarkdown } from './to-markdown-inline.ts'

const back = (source: string) => toMarkdown(renderMarkdown(source).html)

function staysTheSame(source: string): void {
  const { html, text } = renderMarkdown(source)
  const again = renderMarkdown(toMarkdown(html))
  assert.equal(again.text, text, source)
  assert.equal(again.html, html, source)
}

test('plain Markdown comes back as it was written', () => {
  const source = `# On *tea*

Four minutes is **not** long, \`kettle\` or ~~none~~.\\
It is [long enough](https://tea.example "why"), as <https://tea.example/four> says.[^1]

> Wait.
>
> - And see

1. Water
2. Leaves

| leaf | minutes |
| --- | --: |
| green | 2 |
| black \\| red | 4 |

\`\`\`js
const minutes = 4
\`\`\`

---

- [ ] pour
- [x] wait

![a kettle](https://tea.example/kettle.png)

![a pot](https://tea.example/pot.png#wide "The *old* \\"pot\\". Photo: [Ada](https://ada.example)[^1]")

[^1]: It does.
`
  assert.equal(back(source), source)
})

test('what looks like Markdown and is none stays text', () => {
  for (const text of [
    '# no heading',
    '- no item',
    '1. no number',
    '> no quote',
    '*no* _marks_ `at` ~~all~~',
    '[no](https://link.example)',
  ])
    staysTheSame(text.replace(/[#\-.>*_`~[\]]/g, '\\$&'))
  for (const text of [
    'snake_case_name',
    '&amp;amp; &copy;',
    '\\&copy; \\<b>',
    'a \\| b\n\\--- | ---',
    '2 * 3 \\* 4',
    'a\n\\===',
    'a\\\\\nb',
    'https\\://a.example/b\\_ www\\.a.example',
  ])
    staysTheSame(text)
  assert.equal(wordsAsMarkdown('# [a](b) *c*\n<d> 1. snake_case'), '\\# \\[a\\](b) \\*c\\* \\<d> 1. snake_case')
})

test('marks keep their words, whatever stands beside them', () => {
  for (const text of [
    'a**b**c',
    '*a*_b_*c*',
    '**_a_**',
    '*a **b***',
    '&eacute;*"a"*',
    '*&#32;a&#32;*b',
    '~~a~~&#8203;~~b~~',
    '`` ` `` `a`&#8203;`b`',
    '!&#8203;[a](https://b.example)',
    '[^1](c)\n\n[^1]: b',
  ])
    staysTheSame(text)
})

test('blocks keep their places in each other', () => {
  for (const text of [
    '- a\n* b\n- c',
    '1. a\n1) b',
    '- - - a',
    '- > a\n  >\n  b\n- c',
    '- a\n\n  b\n\n- c',
    '- a\n  - b\n\n    c\n- d',
    '3. a\n4. b',
    '- ___\n- # b\n- ```\n  c\n\n  d\n  ```',
    '> a\n\n> b',
    'a\\\nb\n---',
    '> > | a |\n> > | - |',
    'a[^x]\n\n[^x]: b\n\n    - c\n\n    ```\n    d\n    ```',
    '# a #b\\#\n\n#',
    '~~~~\n```\n~~~\n~~~~\n\n    a\n\n\tb\n',
  ])
    staysTheSame(text)
})

test('a link to a heading is written by its words, as other programs know it', () => {
  const source = '# Tea, twice\n\n[a](#tea-twice), [b](#nowhere)\n'
  assert.equal(back(source), source)
  staysTheSame('# s-a\n\n# a\n\n[b](#s-s-a) [c](#s-a)')
})

test('no raw HTML can come of it, not even where a program lets HTML through', () => {
  const markdown = back('\\<script>alert(1)\\</script> `<b>` &lt;img onerror=x>')
  assert.equal(markdown, '\\<script>alert(1)\\</script> `<b>` \\<img onerror=x>\n')
})

/** Fragments of Markdown, valid and broken, that texts are generated from. */
const bits = [
  ...[
    'a',
    'b',
    ' ',
    ' ',
    'word',
    'é',
    '&eacute;',
    '&#32;',
    '&#10;',
    '&nbsp;',
    '\u00a0',
    '&#x200B;',
    '*',
    '**',
    '***',
    '_',
  ],
  ...[
    '__',
    '~~',
    '`',
    '``',
    '\\',
    '\\*',
    '[',
    '](https://x.example)',
    '](https://x.example/(a) "t&amp;")',
    '![',
    '~',
    '$',
  ],
  ...[
    '](https://x.example/i.png)',
    '<https://x.example/é>',
    '<b>',
    '&amp;',
    '&lt;',
    '&',
    '"',
    '(',
    ')',
    ':',
    '!',
    '#',
    '1.',
  ],
  ...[
    '1)',
    '-',
    '+',
    '=',
    '>',
    '|',
    '\n',
    '\n',
    '\n\n',
    '\n\n',
    '\n- ',
    '\n  - ',
    '\n    - ',
    '\n* ',
    '\n1. ',
    '\n2) ',
    '\n> ',
  ],
  ...[
    '\n> > ',
    '\n# ',
    '\n### ',
    '\n===',
    '\n---',
    '\n***\n',
    '\n```\n',
    '\n```js\n',
    '\n    ',
    '\n\t',
    '[^1]',
    '[^2]',
    '{',
  ],
  ...[
    '\n[^1]: ',
    '\n\n[^2]: ',
    '\n| a | b |\n|---|:-:|\n| ',
    '\n|-|\n',
    ' | ',
    '- [ ] ',
    '- [x] ',
    '  \n',
    '\\\n',
    '😀',
    '\u0301',
  ],
  ...[
    '日本',
    '\u202E',
    '\u0338',
    'snake_case',
    'x*y*z',
    '**"q"**r',
    '&copy;',
    '[r]',
    '\n\n[r]: https://r.example "T"\n',
    '](#a)',
  ],
  ...['\n## a\n', '>x', '\u2028', '&#124;', '\\|', 'https://x.example/a_b', 'www.x.example', '\n\n!['],
  ...['](https://x.example/i.png#wide "c *d*")\n\n', '](https://x.example/i.png "[e](https://f) \\"")', '&quot;'],
]

test('any text at all has the same words after the way there and back, and nearly always the same HTML', () => {
  const runs = Number(process.env['TWIN_RUNS'] ?? 1_500)
  let state = 2_026
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let others = 0
  for (let run = 0; run < runs; run++) {
    const source = `${Array.from({ length: 2 + next(24) }, () => bits[next(bits.length)]).join('')}\n`
    const { html, text } = renderMarkdown(source)
    const again = renderMarkdown(toMarkdown(html))
    assert.equal(again.text, text, JSON.stringify(source))
    if (again.html !== html) others += 1
  }
  // Marks nested three deep, and paragraphs of loose lists.
  assert.ok(others <= runs / 200, `${others} of ${runs} have other HTML`)
})
