import { useEffect, useRef } from 'react'
import { pageStyle } from '../../components/site.ts'
import { trustedHtml } from '../../components/trusted.ts'
import { t } from '../../messages.ts'
import type { ReviewedPiece } from './queries.ts'
import styles from './review.module.css'

interface PieceFrameProps {
  readonly piece: ReviewedPiece
  /** The URL of the full preview page of a waiting piece. */
  readonly page: string | null
}

/** The piece as readers see it, in a sandboxed frame. */
export function PieceFrame({ piece, page }: PieceFrameProps) {
  const title = t('desk.review.piece.frame', { headline: piece.headline })
  return page ? (
    <iframe key={page} className={styles.frame} title={title} src={page} sandbox="" tabIndex={-1} />
  ) : (
    <HtmlFrame piece={piece} title={title} />
  )
}

type FrameContent = Pick<ReviewedPiece, 'headline' | 'sub' | 'html'>

/** Public pages forbid framing, so the text is rendered with their stylesheet. */
export function HtmlFrame({ piece, title }: { readonly piece: FrameContent; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const html = pageHtml(piece)
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trustedHtml(html)
  }, [html])
  return <iframe ref={frame} className={styles.frame} title={title} sandbox="" tabIndex={-1} />
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Removes link targets, as the server does in previews, so that the frame cannot navigate away. */
const withoutLinks = (html: string): string => html.replace(/(<a\b[^>]*?) href="[^"]*"/g, '$1')

/** `html` was rendered and sanitized by the server. */
const pageHtml = ({ headline, sub, html }: FrameContent): string => `<!doctype html>
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
${withoutLinks(html)}
</div>
</article>
</main>
</body>
</html>`
