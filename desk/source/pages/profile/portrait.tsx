import { invalidateProfile, type Profile } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { showToast } from '../../components/notice.tsx'
import { usePictureInput } from '../../components/picture-input.tsx'
import { t } from '../../messages.ts'
import styles from './profile.module.css'

/** The writer's picture: choose, drop or remove. */
export function Portrait({ profile, name }: { readonly profile: Profile; readonly name: string }) {
  const { isBusy, problem, attempt, choose, input, dropTarget } = usePictureInput(
    t('desk.profile.photo'),
    async (file) => {
      await callApi('PUT', '/profile/avatar', file)
      await invalidateProfile()
      showToast(t('desk.profile.photo_updated'))
    },
  )
  const remove = async () => {
    await callApi('DELETE', '/profile/avatar')
    await invalidateProfile()
    showToast(t('desk.profile.photo_removed'))
  }
  return (
    <div className={styles.portrait}>
      <div className={styles.picture} {...dropTarget}>
        {profile.avatar_url ? (
          <img src={atDesk(profile.avatar_url)} alt={t('desk.profile.photo_alt')} width="96" height="96" />
        ) : (
          <span aria-hidden="true">{[...name.trim()][0] ?? '·'}</span>
        )}
      </div>
      {input}
      <Button kind="quiet" isBusy={isBusy} onClick={choose}>
        {t(
          isBusy
            ? 'desk.profile.photo_sending'
            : profile.avatar_url
              ? 'desk.profile.photo_change'
              : 'desk.profile.photo_add',
        )}
      </Button>
      {profile.avatar_url && (
        <Button kind="quiet" isBusy={isBusy} onClick={() => attempt(remove)}>
          {t('desk.common.remove')}
        </Button>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Serves the picture through the desk, since it is private until the profile is public. */
function atDesk(address: string): string {
  const { origin, pathname } = new URL(address, location.href)
  return origin === location.origin && pathname.startsWith('/media/') ? `/desk${pathname}` : address
}
