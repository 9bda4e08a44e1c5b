import type { WayIn } from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { Checkbox, PasswordField } from '../../components/choices.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { AddedAndUsed } from '../../components/time.tsx'
import { DeadLink, EmailLink, EmailRequest, isDeadLink } from './email-link.tsx'

const title = 'Set a new password'
const requestPath = '/desk/forgot-password'

export const ResetPasswordPage = () => (
  <EmailLink opens="reset" title={title} requestPath={requestPath}>
    {(token, waysIn) => <ResetPasswordForm token={token} waysIn={waysIn} />}
  </EmailLink>
)

interface ResetPasswordFormProps {
  readonly token: string
  readonly waysIn: readonly WayIn[]
}

function ResetPasswordForm({ token, waysIn }: ResetPasswordFormProps) {
  const form = useForm({ password: '', remove: [] as readonly string[] })
  if (isDeadLink(form.error)) return <DeadLink requestPath={requestPath} />
  const { password, remove } = form.values
  const reset = async () => {
    const { email } = await callApi<{ readonly email: string }>('POST', '/reset-password', { token, password, remove })
    await callApi('POST', '/sign-in', { email, password })
    queries.clear()
    showToast('Your new password is set. You are signed in here, and signed out everywhere else.')
    navigate('/desk', { replace: true })
  }
  return (
    <Page title={title} lead="Everyone else who is signed in to your account will be signed out.">
      <Form form={form} onSubmit={reset}>
        <PasswordField label="New password" {...form.field('password')} />
        {waysIn.length > 0 && (
          <Section
            title="What else opens your account"
            lead="A new password does not stop these. Select any that you don’t recognize, and they are removed."
          >
            {waysIn.map((wayIn) => (
              <Checkbox
                key={wayIn.id}
                label={
                  <>
                    Remove the {nameOf[wayIn.kind]} <bdi>{wayIn.name}</bdi>
                  </>
                }
                hint={<AddedAndUsed {...wayIn} />}
                isOn={remove.includes(wayIn.id)}
                onChange={(isOn) =>
                  form.change({ remove: isOn ? [...remove, wayIn.id] : remove.filter((id) => id !== wayIn.id) })
                }
              />
            ))}
          </Section>
        )}
        <FormActions>
          <SubmitButton>Set password and sign in</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}

const nameOf = { passkey: 'passkey', key: 'API key', link: 'private link to' } as const

export const ForgotPasswordPage = () => (
  <EmailRequest
    title="A new password"
    lead="Give the address you sign in with. The letter we send there has a link to set a new password."
    act="Send me the letter"
    path="/forgot-password"
  >
    <FormFooter>
      Remembered it? <Link to="/desk/sign-in">Sign in</Link>
    </FormFooter>
  </EmailRequest>
)
