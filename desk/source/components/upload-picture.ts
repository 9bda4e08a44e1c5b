import { t } from '../messages.ts'
import { maxPictureBytes, withPictureType } from './picture-file.ts'

/** Uploads a picture and reports progress; rejects with an Error whose message is for users. */
export type UploadPicture = (file: File, onProgress: (words: string, share: number) => void) => Promise<string>

/** To a piece that the server has. */
export const uploadTo =
  (piece: string, writer: string): UploadPicture =>
  async (file, onProgress) => {
    if (file.size > maxPictureBytes) throw new Error(t('desk.common.picture.too_large'))
    return postPicture(withPictureType(file), piece, writer, (share) =>
      onProgress(
        share < 1
          ? t('desk.common.picture.uploading_share', { file: file.name, share })
          : t('desk.common.picture.processing'),
        share,
      ),
    )
  }

/** XMLHttpRequest, since fetch reports no upload progress. */
function postPicture(file: File, piece: string, writer: string, onShare: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/desk/api/media?piece=${piece}`)
    request.setRequestHeader('content-type', file.type)
    request.setRequestHeader('x-writer', writer)
    request.setRequestHeader('accept-language', document.documentElement.lang)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Error(t('desk.common.picture.unreachable')))
    request.onload = () => {
      const body = request.response as { media?: { url: string }; detail?: string } | null
      if (request.status === 201 && body?.media) resolve(body.media.url)
      else if (request.status === 401) reject(new Error(t('desk.common.picture.signed_out')))
      else reject(new Error(body?.detail ?? t('desk.common.picture.failed')))
    }
    request.send(file)
  })
}
