import { shortened } from '#platform/text/normalise.ts'

/** What a piece is called where its page is named: by search engines, and by sites that links to it are shared on. */
export interface PageMeta {
  readonly title: string
  readonly description: string
}

/** Characters; search engines show some 160. */
const longestDescription = 200

export const pageMeta = ({ title, summary }: { readonly title: string; readonly summary: string }): PageMeta => ({
  title,
  description: shortened(summary, longestDescription),
})
