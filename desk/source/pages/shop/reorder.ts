import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { tell } from '../../components/notice.tsx'
import type { DeskProduct } from './form-values.ts'
import { inOrder } from './order.ts'
import { shopKey, useShopChanged } from './queries.ts'

interface Ordering {
  readonly products: readonly DeskProduct[]
  /** Shows them so at once, and saves it. */
  readonly keep: (ids: readonly string[]) => void
}

/** The order on the page runs ahead of the server's, which is told one order at a time, and the last one always. */
export function useOrdering(given: readonly DeskProduct[]): Ordering {
  const [shown, setShown] = useState<readonly string[]>()
  const queries = useQueryClient()
  const changed = useShopChanged()
  const waiting = useRef<readonly string[]>(undefined)
  const isSending = useRef(false)

  const send = async (): Promise<void> => {
    if (isSending.current) return
    isSending.current = true
    try {
      while (waiting.current) {
        // The server wants all of them, those too that are hidden until they are deleted.
        const all = queries.getQueryData<readonly DeskProduct[]>(shopKey) ?? []
        const ids = inOrder(all, waiting.current).map(({ id }) => id)
        waiting.current = undefined
        await ask('PUT', '/products/order', { ids }, { keepalive: true })
        queries.setQueryData<readonly DeskProduct[]>(shopKey, (before) => before && inOrder(before, ids))
      }
    } catch (error) {
      waiting.current = undefined
      tell(`The order is as it was before. ${wordsOf(error)}`)
      await changed()
    } finally {
      isSending.current = false
    }
    // Moved while the refusal of the one before was being read.
    if (waiting.current) return send()
    setShown(undefined)
  }
  return {
    products: shown ? inOrder(given, shown) : given,
    keep: (ids) => {
      setShown(ids)
      waiting.current = ids
      void send()
    },
  }
}
