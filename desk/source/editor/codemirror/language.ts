import { defineLanguageFacet, Language, languageDataProp } from '@codemirror/language'
import { GFM, parser } from '@lezer/markdown'

/** Markdown as the site renders it. Built here, since the ready-made package brings HTML, CSS and JavaScript along. */
const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } })

export const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
)
