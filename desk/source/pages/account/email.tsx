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

/** The sign-in address. A new one applies once the link in its email has been opened. */
export function EmailAddress({ account }: { readonly account: Account }) {
  const [isChanging, setChanging] = useState(false)
  const close = () => setChanging(false)
  const attempt = useAttempt()
  const { email_change: change, email_undo: undo } = account
  const cancel = attempt.handler(async () => {
    await callApi('DELETE', '/account/email')
    await invalidateAccount()
    showToast('Your email address stays as it is.')
  })
  return (
    <Section title="Email address">
      <Rows>
        <Row
          title={<bdi>{account.email}</bdi>}
          about="You sign in with it, and our emails go there. Readers don’t see it."
          actions={
            <Button kind="quiet" aria-label="Change the email address" onClick={() => setChanging(true)}>
              Change
            </Button>
          }
        />
        {change && (
          <Row
            title={<bdi>{change.to}</bdi>}
            about={
              <>
                Not confirmed yet: open the link in the email we sent there. You asked for it{' '}
                <Time at={change.asked_at} />.
              </>
            }
            actions={
              <Button kind="quiet" aria-label={`Cancel the change to ${change.to}`} onClick={cancel}>
                Cancel
              </Button>
            }
          />
        )}
      </Rows>
      <ErrorNotice error={attempt.error} />
      {undo && (
        <Notice kind="good">
          For 72 hours you can undo the change from <bdi>{undo.to}</bdi>, with the link in the email we sent there.
          Until then the address can’t be changed again.
        </Notice>
      )}
      {isChanging && (
        <FormDialog
          title="New email address"
          initial={{ email: '' }}
          onSubmit={async (given) => {
            await callApi('POST', '/account/email', given)
            await invalidateAccount()
            close()
          }}
          submit="Send the email"
          onClose={close}
        >
          {({ field }) => (
            <Field
              label="New address"
              hint="We’ll email you a link there, and tell your old address."
              type="email"
              autoComplete="email"
              {...field('email')}
              invalid="Enter an email address we can write to."
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
  const [isOn, setOn] = useState(account.drafts_letter)
  const choose = (isOn: boolean) =>
    attempt.handler(async () => {
      setOn(isOn)
      try {
        await callApi('PATCH', '/account', { drafts_letter: isOn })
      } catch (error) {
        setOn(!isOn)
        throw error
      }
      await invalidateAccount()
      showToast(isOn ? 'We write when a key has left drafts.' : 'No more letters about drafts.')
    })()
  return (
    <Section title="Letters" lead="What concerns the safety of your account we always write about.">
      <ErrorNotice error={attempt.error} />
      <Checkbox
        label="When one of my keys has left drafts"
        hint="At most one letter an hour."
        isOn={isOn}
        onChange={choose}
      />
    </Section>
  )
}
