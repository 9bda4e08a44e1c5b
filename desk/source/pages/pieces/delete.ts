import { wordsOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { tell, tellWithUndo } from '../../components/notice.tsx'
import { type DeskListItem, usePiecesChanged } from './queries.ts'

/** Into the trash at once; undoing takes it out again. */
export function useDeletion(): (piece: DeskListItem) => Promise<void> {
  const changed = usePiecesChanged()
  return async ({ id, headline }) => {
    const restore = async () => {
      try {
        await ask('POST', `/trash/${id}/restore`)
      } catch (error) {
        tell(wordsOf(error))
      }
      await changed()
    }
    try {
      await ask('DELETE', `/pieces/${id}`)
      tellWithUndo(`“${headline}” is in the trash.`, restore)
    } catch (error) {
      tell(`“${headline}” is still there. ${wordsOf(error)}`)
    }
    await changed()
  }
}
