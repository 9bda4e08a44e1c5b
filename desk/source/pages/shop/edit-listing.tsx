import { useEffect, useEffectEvent } from 'react'
import { Page } from '../../components/page.tsx'
import { modifier, type Shortcut, useNamedShortcuts } from '../../components/shortcuts.ts'
import { Unsaved } from '../../components/unsaved.tsx'
import { Card } from './card.tsx'
import { Deciding } from './confirm.tsx'
import { Fields } from './fields.tsx'
import type { DeskProduct } from './form-values.ts'
import styles from './listing.module.css'
import type { Kept } from './queries.ts'
import { useKeeping } from './save.ts'
import { Standing } from './status.tsx'
import { Withheld } from './withheld.tsx'

interface FillingProps {
  readonly id: string
  /** Undefined for one that does not exist yet. */
  readonly first: Kept | undefined
  readonly shop: readonly DeskProduct[]
}

const shortcuts: readonly Shortcut[] = [
  { keys: `${modifier}S`, does: 'Save' },
  { keys: `${modifier}Enter`, does: 'List it or update it, after a question' },
]

const nothingYet = { status: 'draft', has_unpublished_changes: false, withheld: null } as const

/** What is said about a listing, how it will look, and what to do with it. */
export function Filling({ id, first, shop }: FillingProps) {
  useNamedShortcuts(shortcuts)
  const currency = shop.findLast(({ price }) => price)?.price?.currency ?? 'EUR'
  const keeping = useKeeping(id, first, currency)
  const { kept, said, isUnsaved, save } = keeping
  const saveByKey = useEffectEvent(() => void save())
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (!event.repeat) saveByKey()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <Page title={kept?.product.name ?? 'New listing'} isWide>
      <p className={styles.standing}>
        <Standing of={kept?.product ?? nothingYet} />
        <span role="status">{isUnsaved ? 'Not saved yet' : kept ? 'Saved' : ''}</span>
        {kept?.product.url && <a href={kept.product.url}>See it as readers do</a>}
      </p>
      {kept?.product.withheld && <Withheld id={kept.product.id} why={kept.product.withheld} />}
      <div className={styles.spread}>
        <Fields keeping={keeping} categories={shop.flatMap(({ category }) => category ?? [])} />
        <Card said={said} />
        <Deciding id={id} keeping={keeping} />
      </div>
      <Unsaved isUnsaved={isUnsaved} onSave={async () => (await save()) !== undefined} />
    </Page>
  )
}
