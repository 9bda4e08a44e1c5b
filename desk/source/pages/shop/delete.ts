import { wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { tell } from '../../components/notice.tsx'
import { deleteUnlessUndone } from '../../components/pending-deletes.ts'
import type { DeskProduct } from './form-values.ts'
import { useShopChanged } from './queries.ts'

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
