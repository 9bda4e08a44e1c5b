import { useEffect, useEffectEvent, useState } from 'react'
import { Refusal } from '../../api/api-error.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Acts, Refused, useAttempt } from '../../components/form.tsx'
import { Notice, tell } from '../../components/notice.tsx'
import { go } from '../../components/router.ts'
import { type Act, isDone, showingOf, withdraw } from './actions.ts'
import { useDeletion } from './delete.ts'
import { Done } from './done.tsx'
import { type DeskProduct, hostOf, priceInWords, saidBy } from './form-values.ts'
import styles from './listing.module.css'
import { type Kept, performAct, readListing } from './queries.ts'
import type { Keeping } from './save.ts'
import { Stale } from './stale.tsx'

interface DecidingProps {
  readonly id: string
  readonly keeping: Keeping
}

/** Somebody saved or acted in between: what is decided on must be what was seen. */
const staleWords: Readonly<Record<number, string>> = {
  409: 'Something else was done with this listing since you opened it. Look at it, then decide.',
  412: 'This listing was changed since you opened it. This is how it is now: look at it, then decide.',
}

/** What to do with the listing. What goes to readers is saved first, shown, and asked about. */
export function Deciding({ id, keeping }: DecidingProps) {
  const { kept, theirs, isUnsaved, saving, save, take } = keeping
  const [asked, setAsked] = useState<{ readonly act: Act; readonly of: Kept }>()
  const [done, setDone] = useState<Act>()
  const [stale, setStale] = useState<string>()
  const acting = useAttempt()
  const remove = useDeletion()
  const showing = showingOf(kept?.product, isUnsaved)
  const isBusy = saving.isBusy || acting.isBusy
  const product = kept?.product

  const begin = async (act: Act) => {
    setDone(undefined)
    setStale(undefined)
    const of = act.isOfText ? await save() : kept
    if (of) setAsked({ act, of })
  }
  const beginByKey = useEffectEvent(() => {
    if (showing && !asked && !acting.isBusy) void begin(showing)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (!event.repeat) beginByKey()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const perform = acting.by(async () => {
    if (!asked) return
    const { act, of } = asked
    setAsked(undefined)
    try {
      take(await performAct(id, act.name, act.isOfText ? of.product.revision : undefined))
    } catch (error) {
      const isStale = error instanceof Refusal && error.reason !== 'limit_reached'
      const words = isStale ? staleWords[error.status] : undefined
      const isUnheard = error instanceof Refusal && error.status === 0
      if (!words && !isUnheard) throw error
      const now = await readListing(id)
      take(now)
      if (words) return setStale(words)
      // The answer may have been lost on its way, and the act not.
      if (!isDone(act, now.product)) throw error
    }
    setDone(act)
  })
  return (
    <div className={styles.deciding}>
      {done && product && <Done act={done} product={product} />}
      {theirs ? <Stale keeping={keeping} theirs={theirs} /> : stale && <Notice kind="bad">{stale}</Notice>}
      <Refused error={acting.error} />
      <Acts>
        {showing && (
          <Button kind="main" isBusy={isBusy} onClick={() => void begin(showing)}>
            {showing.button}
          </Button>
        )}
        <Button
          isBusy={isBusy}
          disabled={!isUnsaved && kept !== undefined}
          onClick={async () => {
            if (await save()) tell(product?.status === 'listed' ? 'Saved. Readers see it once you update.' : 'Saved.')
          }}
        >
          {product?.status === 'listed' ? 'Save' : 'Save as a draft'}
        </Button>
        {product?.status === 'listed' && (
          <Button kind="quiet" isBusy={isBusy} onClick={() => void begin(withdraw)}>
            Withdraw
          </Button>
        )}
        {product?.status === 'draft' && (
          <Button
            kind="quiet"
            onClick={() => {
              go('/desk/shop', { isMeant: true })
              remove(product)
            }}
          >
            Delete
          </Button>
        )}
      </Acts>
      <Dialog title={asked?.act.question ?? ''} isOpen={asked !== undefined} onClose={() => setAsked(undefined)}>
        {asked && (
          <>
            {asked.act.isOfText && <Shown product={asked.of.product} />}
            <p>{asked.act.before}</p>
            <Choices>
              <Button kind="quiet" onClick={() => setAsked(undefined)}>
                Not yet
              </Button>
              <Button
                kind={asked.act.isOfText ? 'main' : 'grave'}
                isBusy={acting.isBusy}
                onClick={() => void perform()}
              >
                {asked.act.button}
              </Button>
            </Choices>
          </>
        )}
      </Dialog>
    </div>
  )
}

/** What goes to readers is what was saved, whatever has been typed since. */
function Shown({ product }: { readonly product: DeskProduct }) {
  const said = saidBy(product, '')
  return (
    <p>
      <strong>{said.name}</strong>
      {[priceInWords(said), hostOf(said)].filter(Boolean).map((one) => ` · ${one}`)}
    </p>
  )
}
