import { t } from '../messages.ts'

/** The image types the server accepts, and its size limit. */
export const pictureTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
export const maxPictureBytes = 20 * 1024 * 1024

/** Many systems give HEIC files no type. */
const isHeic = ({ type, name }: File): boolean => /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)

/** Why the server would refuse a file of this type. */
export function pictureTypeProblem(file: File): string | undefined {
  if (isHeic(file)) return t('desk.common.picture.heic')
  return pictureTypes.includes(file.type) ? undefined : t('desk.common.picture.wrong_type')
}

/** Why the server would refuse this file; checked before the upload. */
export function pictureProblem(file: File): string | undefined {
  const wrongType = pictureTypeProblem(file)
  if (wrongType) return wrongType
  if (file.size > maxPictureBytes) return t('desk.common.picture.too_large')
  return undefined
}
