import { useEffect, useRef } from 'react'
import { pageStyle } from '../../components/site.ts'
import { trusted } from '../../components/trusted.ts'
import type { Shown } from './queries.ts'
import styles from './review.module.css'

interface RenderedProps {
  readonly piece: Shown
  /** The whole page, of what waits. */
  readonly page: string | null
}

/** The piece as readers have it or would have it, in a frame where nothing runs. */
export function Rendered({ piece, page }: RenderedProps) {
  const title = `“${piece.headline}” as a page`
  return page ? (
    <iframe key={page} className={styles.frame} title={title} src={page} sandbox="" tabIndex={-1} />
  ) : (
    <InFrame piece={piece} title={title} />
  )
}

type Drawn = Pick<Shown, 'headline' | 'sub' | 'html'>

/** Public pages let nobody frame them: so its text, in their dress. */
export function InFrame({ piece, title }: { readonly piece: Drawn; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const drawn = documentOf(piece)
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trusted(drawn)
  }, [drawn])
  return <iframe ref={frame} className={styles.frame} title={title} sandbox="" tabIndex={-1} />
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** As the server draws a page for a frame: what looks like a link leads nowhere, and the piece stays before one's eyes. */
const unfollowable = (html: string): string => html.replace(/(<a\b[^>]*?) href="[^"]*"/g, '$1')

/** `html` is what the server rendered and cleaned, as it does for readers. */
const documentOf = ({ headline, sub, html }: Drawn): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(headline)}</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${pageStyle}">
</head>
<body>
<main>
<article class="piece column">
<header class="piece-head">
<h1 class="title" dir="auto">${escaped(headline)}</h1>
${sub ? `<p class="standfirst" dir="auto">${escaped(sub)}</p>` : ''}
</header>
<div class="prose">
${unfollowable(html)}
</div>
</article>
</main>
</body>
</html>`
