import { useState } from 'react'
import { type Account, invalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Row, Rows, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'

/** The sign-in address. A new one applies once the link in its email has been opened. */
export function EmailAddress({ account }: { readonly account: Account }) {
  const [isChanging, setChanging] = useState(false)
  const close = () => setChanging(false)
  const attempt = useAttempt()
  const { email_change: change, email_undo: undo } = account
  const cancel = attempt.handler(async () => {
    await callApi('DELETE', '/account/email')
    await invalidateAccount()
    showToast(t('desk.account.email.cancelled'))
  })
  return (
    <Section title={t('desk.common.email_address')}>
      <Rows>
        <Row
          title={<bdi>{account.email}</bdi>}
          about={t('desk.account.email.about')}
          actions={
            <Button kind="quiet" aria-label={t('desk.account.email.change')} onClick={() => setChanging(true)}>
              {t('desk.common.change')}
            </Button>
          }
        />
        {change && (
          <Row
            title={<bdi>{change.to}</bdi>}
            about={rich('desk.account.email.pending', { at: <Time at={change.asked_at} /> })}
            actions={
              <Button kind="quiet" aria-label={t('desk.account.email.cancel', { email: change.to })} onClick={cancel}>
                {t('desk.common.cancel')}
              </Button>
            }
          />
        )}
      </Rows>
      <ErrorNotice error={attempt.error} />
      {undo && <Notice kind="good">{rich('desk.account.email.undo', { email: <bdi>{undo.to}</bdi> })}</Notice>}
      {isChanging && (
        <FormDialog
          title={t('desk.account.email.change')}
          initial={{ email: '' }}
          onSubmit={async (given) => {
            await callApi('POST', '/account/email', given)
            await invalidateAccount()
            close()
          }}
          submit={t('desk.account.email.submit')}
          onClose={close}
        >
          {({ field }) => (
            <Field
              label={t('desk.account.email.new')}
              hint={t('desk.account.email.new_hint')}
              type="email"
              autoComplete="email"
              {...field('email')}
              invalid={t('desk.account.email.invalid')}
              required
            />
          )}
        </FormDialog>
      )}
    </Section>
  )
}

/** Which emails are sent. Security emails always are. */
export function EmailPreferences({ account }: { readonly account: Account }) {
  const attempt = useAttempt()
  return (
    <Section title={t('desk.account.notifications.title')} lead={t('desk.account.notifications.lead')}>
      <ErrorNotice error={attempt.error} />
      {account.writer && <EmailPreference about="drafts" setting="drafts_letter" account={account} attempt={attempt} />}
      <EmailPreference about="comments" setting="comment_emails" account={account} attempt={attempt} />
    </Section>
  )
}

interface EmailPreferenceProps {
  readonly about: 'drafts' | 'comments'
  readonly setting: 'drafts_letter' | 'comment_emails'
  readonly account: Account
  readonly attempt: ReturnType<typeof useAttempt>
}

function EmailPreference({ about, setting, account, attempt }: EmailPreferenceProps) {
  const [isOn, setOn] = useState(account[setting])
  const choose = (isOn: boolean) =>
    attempt.handler(async () => {
      setOn(isOn)
      try {
        await callApi('PATCH', '/account', { [setting]: isOn })
      } catch (error) {
        setOn(!isOn)
        throw error
      }
      await invalidateAccount()
      showToast(t(`desk.account.notifications.${about}_${isOn ? 'on' : 'off'}`))
    })()
  return (
    <Checkbox
      label={t(`desk.account.notifications.${about}`)}
      hint={t(`desk.account.notifications.${about}_hint`)}
      isOn={isOn}
      onChange={choose}
    />
  )
}
