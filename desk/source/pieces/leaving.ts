import { ask } from '../api/ask.ts'
import { wordsOf } from '../api/refusal.ts'
import { deleteUnlessUndone } from '../ui/leaving.ts'
import { tell } from '../ui/notice.tsx'
import { type DeskListItem, usePiecesChanged } from './asking.ts'

export function useDeletion(): (piece: DeskListItem) => void {
  const changed = usePiecesChanged()
  return ({ id, headline }) =>
    deleteUnlessUndone(id, headline, async () => {
      try {
        await ask('DELETE', `/pieces/${id}`, undefined, { keepalive: true })
      } catch (error) {
        tell(`“${headline}” is still there. ${wordsOf(error)}`)
      }
      await changed()
    })
}
