import { useEffect, useRef } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Copy } from '../../components/copy.tsx'
import { Acts } from '../../components/form.tsx'
import type { Act } from './actions.ts'
import type { DeskProduct } from './form-values.ts'
import styles from './listing.module.css'

interface DoneProps {
  readonly act: Act
  readonly product: DeskProduct
}

/** What happened: the link first, then what next. What was pressed may be gone, so it takes the focus. */
export function Done({ act, product }: DoneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section className={styles.done} aria-labelledby="listing-done">
      <h2 id="listing-done" ref={heading} tabIndex={-1}>
        {act.after}
      </h2>
      {product.url ? (
        <p className={styles.live}>
          <a href={product.url}>{product.url.replace(/^https?:\/\//, '')}</a>
        </p>
      ) : (
        <p>Only you see it now. You can change it, and list it again.</p>
      )}
      <Acts>
        {product.url && <Copy text={product.url} label="Copy the link" />}
        <LinkButton to="/desk/shop" kind={product.url ? 'quiet' : 'plain'}>
          To your shop
        </LinkButton>
      </Acts>
    </section>
  )
}
