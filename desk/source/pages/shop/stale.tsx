import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Acts } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { isSame, type Said, saidBy } from './form-values.ts'
import styles from './listing.module.css'
import type { Kept } from './queries.ts'
import type { Keeping } from './save.ts'

interface StaleProps {
  readonly keeping: Keeping
  readonly theirs: Kept
}

const names: Readonly<Partial<Record<keyof Said, string>>> = {
  name: 'Name',
  summary: 'Summary',
  description: 'Description',
  amount: 'Price',
  category: 'Category',
  payment_url: 'Payment address',
}

/** Two versions, one listing: what the other says, and two ways on. Nothing is overwritten before one is chosen. */
export function Stale({ keeping: { said, saving, keepMine, takeTheirs }, theirs }: StaleProps) {
  const other = saidBy(theirs.product, said.currency)
  const differing = Object.entries(names).filter(
    ([member]) => !isSame({ ...said, ...pick(other, member as keyof Said) }, said),
  )
  const notice = useRef<HTMLDivElement>(null)
  // Whoever saved by a key may be far from it.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={notice}>
      <Notice kind="bad">
        <p>
          This listing was saved from another window or device since you opened it. What you typed is still here;
          nothing is overwritten. Choose which one stays.
        </p>
        {differing.length > 0 && (
          <dl className={styles.other}>
            {differing.map(([member, word]) => (
              <div key={member}>
                <dt>{word}, there</dt>
                <dd>{String(other[member as keyof Said]) || 'Nothing'}</dd>
              </div>
            ))}
          </dl>
        )}
        <Acts>
          <Button isBusy={saving.isBusy} onClick={() => void keepMine()}>
            Keep mine
          </Button>
          <Button isBusy={saving.isBusy} onClick={takeTheirs}>
            Take the other
          </Button>
        </Acts>
      </Notice>
    </div>
  )
}

const pick = (said: Said, member: keyof Said): Partial<Said> => ({
  [member]: said[member],
  ...(member === 'amount' ? { currency: said.currency } : {}),
})
