import { ask } from '../api/ask.ts'
import { wordsOf } from '../api/refusal.ts'
import { deleteUnlessUndone } from '../ui/leaving.ts'
import { tell } from '../ui/notice.tsx'
import { useShopChanged } from './asking.ts'
import type { DeskProduct } from './said.ts'

export function useDeletion(): (product: Pick<DeskProduct, 'id' | 'name'>) => void {
  const changed = useShopChanged()
  return ({ id, name }) =>
    deleteUnlessUndone(id, name, async () => {
      try {
        await ask('DELETE', `/products/${id}`, undefined, { keepalive: true })
      } catch (error) {
        tell(`“${name}” is still there. ${wordsOf(error)}`)
      }
      await changed()
    })
}
