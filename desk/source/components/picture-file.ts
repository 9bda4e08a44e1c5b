import { t } from '../messages.ts'

/** The image types the server accepts, and its size limit. */
export const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
export const maxPictureBytes = 20 * 1024 * 1024

/** Why the server would refuse this file; checked before the upload. */
export function pictureProblem({ type, size }: File): string | undefined {
  if (!pictureTypes.includes(type)) return t('desk.common.picture.wrong_type')
  if (size > maxPictureBytes) return t('desk.common.picture.too_large')
  return undefined
}
