import type { SignedInto, WayIn } from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { Checkbox, PasswordField } from '../../components/choices.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { AddedAndUsed } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { DeadLink, EmailLink, EmailRequest, isDeadLink, toSignIn } from './email-link.tsx'
import { enterDesk } from './enter.ts'

const requestPath = '/desk/forgot-password'

export const ResetPasswordPage = () => (
  <EmailLink opens="reset" title={t('desk.sign-in.reset.title')} requestPath={requestPath}>
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
    const signedInto = await callApi<SignedInto>('POST', '/sign-in', { email, password })
    showToast(t('desk.sign-in.reset.done'))
    enterDesk(signedInto, '/desk')
  }
  return (
    <Page title={t('desk.sign-in.reset.title')} lead={t('desk.sign-in.reset.lead')}>
      <Form form={form} onSubmit={reset}>
        <PasswordField label={t('desk.common.new_password')} {...form.field('password')} />
        {waysIn.length > 0 && (
          <Section title={t('desk.sign-in.reset.ways_title')} lead={t('desk.sign-in.reset.ways_lead')}>
            {waysIn.map((wayIn) => (
              <Checkbox
                key={wayIn.id}
                label={rich(`desk.sign-in.reset.remove.${wayIn.kind}`, { name: <bdi>{wayIn.name}</bdi> })}
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
          <SubmitButton>{t('desk.sign-in.reset.submit')}</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}

export const ForgotPasswordPage = () => (
  <EmailRequest title={t('desk.sign-in.forgot.title')} lead={t('desk.sign-in.forgot.lead')} path="/forgot-password">
    <FormFooter>{rich('desk.sign-in.forgot.sign_in', { link: toSignIn })}</FormFooter>
  </EmailRequest>
)
