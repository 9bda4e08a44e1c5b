import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { WayIn } from '../../../../server/features/accounts/schema.ts'
import { ApiError, callApi, problemOf } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import {
  ErrorNotice,
  Form,
  FormActions,
  FormFooter,
  SubmitButton,
  useAttempt,
  useForm,
} from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { LoadError, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { useFragment } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'

interface EmailLinkProps {
  readonly opens: 'verify' | 'reset'
  /** The title while the link is being checked. */
  readonly title: string
  /** The page that sends another email. */
  readonly requestPath: string
  readonly children: (token: string, waysIn: readonly WayIn[]) => ReactNode
}

/** Checks the link from an email before asking for anything. Checking does not use it up. */
export function EmailLink({ opens, title, requestPath, children }: EmailLinkProps) {
  const token = useFragment()
  const link = useQuery({
    queryKey: ['link', opens, token],
    queryFn: ({ signal }) =>
      callApi<{ readonly ways_in: readonly WayIn[] }>('POST', '/link', { token, opens }, { signal }),
    enabled: token !== '',
    // Checked once: switching to the mail window must not discard what was typed.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!token) return <LinkNeeded requestPath={requestPath} />
  if (link.isSuccess) return <Fragment key={token}>{children(token, link.data.ways_in)}</Fragment>
  if (isDeadLink(link.error)) return <DeadLink requestPath={requestPath} />
  return (
    <Page title={title}>
      {link.isError ? (
        <LoadError error={link.error} onRetry={link.refetch} />
      ) : (
        <Loading words={t('desk.sign-in.link.checking')} />
      )}
    </Page>
  )
}

/** Whether the server refused the link: unknown, used, expired or malformed. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 410 || problemOf(error, 'token') !== undefined)

export const DeadLink = ({ requestPath }: { readonly requestPath: string }) => (
  <Page title={t('desk.sign-in.dead_link.title')} lead={t('desk.sign-in.dead_link.lead')}>
    <LinkButton to={requestPath}>{t('desk.sign-in.link.request')}</LinkButton>
    <FormFooter>{rich('desk.sign-in.dead_link.sign_in', { link: toSignIn })}</FormFooter>
  </Page>
)

export const toSignIn = (content: ReactNode) => <Link to="/desk/sign-in">{content}</Link>

/** Shown without a token in the URL fragment. */
export const LinkNeeded = ({ requestPath }: { readonly requestPath: string }) => (
  <Page title={t('desk.sign-in.link_needed.title')} lead={t('desk.sign-in.link_needed.lead')}>
    <LinkButton to={requestPath}>{t('desk.sign-in.link.request')}</LinkButton>
  </Page>
)

interface EmailRequestProps {
  readonly title: string
  readonly lead: string
  /** The API path. */
  readonly path: '/sign-up' | '/forgot-password'
  /** Further fields of the request. */
  readonly given?: object
  readonly children: ReactNode
}

/** Which email was asked for, and how many hours its link works; the server's values. */
const emails = {
  '/sign-up': { lead: 'desk.sign-in.sent.lead_sign_up', hours: 24 },
  '/forgot-password': { lead: 'desk.sign-in.sent.lead_reset', hours: 1 },
} as const

/** Requests an email. The answer is the same whether or not the address has an account. */
export function EmailRequest({ title, lead, path, given, children }: EmailRequestProps) {
  // Outlives the form: another address is entered in place of the last one.
  const form = useForm({ email: '' })
  const [sentTo, setSentTo] = useState<string>()
  const request = async ({ email }: { readonly email: string }) => {
    await callApi('POST', path, { email, ...given })
    setSentTo(email.trim())
  }
  if (sentTo) {
    return (
      <EmailSent
        key={sentTo}
        to={sentTo}
        email={emails[path]}
        onResend={() => request({ email: sentTo })}
        onChange={() => setSentTo(undefined)}
      />
    )
  }
  return (
    <Page title={title} lead={lead}>
      <Form form={form} onSubmit={request}>
        <Field
          label={t('desk.common.email_address')}
          type="email"
          autoComplete="email"
          {...form.field('email')}
          invalid={t('desk.sign-in.email_invalid')}
          required
        />
        <FormActions>
          <SubmitButton>{t('desk.sign-in.email_link')}</SubmitButton>
        </FormActions>
      </Form>
      {children}
    </Page>
  )
}

interface EmailSentProps {
  readonly to: string
  readonly email: (typeof emails)[keyof typeof emails]
  readonly onResend: () => Promise<unknown>
  readonly onChange: () => void
}

function EmailSent({ to, email: { lead, hours }, onResend, onChange }: EmailSentProps) {
  const attempt = useAttempt()
  const resend = attempt.handler(async () => {
    await onResend()
    showToast(t('desk.sign-in.sent.resent'))
  })
  return (
    <Page title={t('desk.sign-in.sent.title')} lead={rich(lead, { email: <bdi>{to}</bdi>, hours })}>
      <p>{t('desk.sign-in.sent.nothing')}</p>
      <ErrorNotice error={attempt.error} />
      <FormActions>
        <Button isBusy={attempt.isBusy} onClick={resend}>
          {t('desk.sign-in.sent.resend')}
        </Button>
        <Button kind="quiet" onClick={onChange}>
          {t('desk.sign-in.sent.change')}
        </Button>
      </FormActions>
    </Page>
  )
}
