import { largestPicture } from '../components/picture-file.ts'
import type { Sending } from './codemirror/upload-card.ts'
import type { Saver } from './saving/saver.ts'
import type { Session } from './session.ts'

/** Sends pictures to the piece, which has to be at the server first. */
export const sendingFor =
  ({ saver, writer }: Pick<Session, 'saver' | 'writer'>): Sending =>
  async (file, onProgress) => {
    if (file.size > largestPicture) throw new Error('It is larger than 20 MB. Make it smaller, then drop it again.')
    const id = saver.id() ?? (await begun(saver, onProgress))
    return upload(file, id, writer, (share) =>
      onProgress(share < 1 ? `Sending ${file.name}: ${Math.round(100 * share)} %` : 'It is being made ready …', share),
    )
  }

/** Ends when the server knows the piece. */
async function begun(saver: Saver, onProgress: Parameters<Sending>[1]): Promise<string> {
  onProgress('The piece is saved first …', 0)
  await saver.flush()
  if (saver.standing().kind === 'textless') {
    onProgress(
      'A picture goes to the server with its piece, and that with its first words. Write some, and it is sent.',
      0,
    )
  }
  return new Promise((resolve) => {
    const look = () => {
      const id = saver.id()
      if (id === null) return
      stop()
      resolve(id)
    }
    const stop = saver.listen(look)
    look()
  })
}

/** By the older way: the newer one cannot tell how much has been sent. */
function upload(file: File, piece: string, writer: string, onShare: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/desk/api/media?piece=${piece}`)
    request.setRequestHeader('content-type', file.type)
    request.setRequestHeader('x-writer', writer)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () =>
      reject(new Error('It did not arrive. It is still here: look at your connection, then try again.'))
    request.onload = () => {
      const body = request.response as { media?: { url: string }; detail?: string } | null
      if (request.status === 201 && body?.media) resolve(body.media.url)
      else if (request.status === 401) reject(new Error('You were signed out. Sign in again, then try again.'))
      else reject(new Error(body?.detail ?? 'The site could not take it. Try again, or try another format.'))
    }
    request.send(file)
  })
}
