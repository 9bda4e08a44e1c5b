import { type Account, useAccountChanged } from '../api/account.ts'
import { ask } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { Refused, useAttempt } from '../components/form.tsx'
import { Notice, tell } from '../components/notice.tsx'
import styles from './deletion.module.css'

/** On every page while the account waits to be deleted. */
export function Deletion({ deletion }: { readonly deletion: NonNullable<Account['deletion']> }) {
  const accountChanged = useAccountChanged()
  const attempt = useAttempt()
  const keep = attempt.by(async () => {
    await ask('DELETE', '/account/deletion')
    await accountChanged()
    tell('Your account stays.')
  })
  return (
    <div className={styles.deletion}>
      <Notice kind="bad">
        <p>
          Your account will be deleted on <time dateTime={deletion.at}>{day.format(new Date(deletion.at))}</time>, with
          everything you have written. Until then everything stays as it is.
        </p>
        <Refused error={attempt.error} />
        <Button isBusy={attempt.isBusy} onClick={keep}>
          Keep my account
        </Button>
      </Notice>
    </div>
  )
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
