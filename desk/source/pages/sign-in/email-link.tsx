import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import type { WayIn } from '../../../../server/features/accounts/schema.ts'
import { ApiError, callApi, problemOf } from '../../api/client.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Form, FormActions, FormFooter, SubmitButton, useForm } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { LoadError, Loading } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { useFragment } from '../../components/router.ts'

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
      {link.isError ? <LoadError error={link.error} onRetry={link.refetch} /> : <Loading words="Looking at the link" />}
    </Page>
  )
}

/** Whether the server refused the link: unknown, used, expired or malformed. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 410 || problemOf(error, 'token') !== undefined)

export const DeadLink = ({ requestPath }: { readonly requestPath: string }) => (
  <Page
    title="This link does not work"
    lead="The link is incomplete, was used already, or is too old. Open it again from the email, or ask for a new one."
  >
    <LinkButton to={requestPath}>Send a new email</LinkButton>
    <FormFooter>
      Was it you who used it? <Link to="/desk/sign-in">Sign in</Link>
    </FormFooter>
  </Page>
)

/** Shown without a token in the URL fragment. */
export const LinkNeeded = ({ requestPath }: { readonly requestPath: string }) => (
  <Page
    title="This needs the link of a letter"
    lead="Open the link in the letter we sent you, whole. If it has gone, ask for another."
  >
    <LinkButton to={requestPath}>Ask for another letter</LinkButton>
  </Page>
)

interface EmailRequestProps {
  readonly title: string
  readonly lead: string
  readonly act: string
  /** The API path. */
  readonly path: '/sign-up' | '/forgot-password'
  /** Further fields of the request. */
  readonly given?: object
  readonly children: ReactNode
}

/** How long the link in the email works; the server's values. */
const linkLifetimes = { '/sign-up': '24 hours', '/forgot-password': 'one hour' } as const

/** Requests an email. The answer is the same whether or not the address has an account. */
export function EmailRequest({ title, lead, act, path, given, children }: EmailRequestProps) {
  // Outlives the form: "Try another address" begins with the last one.
  const form = useForm({ email: '' })
  const [sentTo, setSentTo] = useState<string>()
  const request = async ({ email }: { readonly email: string }) => {
    await callApi('POST', path, { email, ...given })
    setSentTo(email.trim())
  }
  if (sentTo)
    return <EmailSent key={sentTo} to={sentTo} span={linkLifetimes[path]} onRetry={() => setSentTo(undefined)} />
  return (
    <Page title={title} lead={lead}>
      <Form form={form} onSubmit={request}>
        <Field
          label="E-mail address"
          type="email"
          autoComplete="email"
          {...form.field('email')}
          invalid="This is no e-mail address we can write to."
          required
        />
        <FormActions>
          <SubmitButton>{act}</SubmitButton>
        </FormActions>
      </Form>
      {children}
    </Page>
  )
}

interface EmailSentProps {
  readonly to: string
  readonly span: string
  readonly onRetry: () => void
}

const EmailSent = ({ to, span, onRetry }: EmailSentProps) => (
  <Page
    title="A letter is on its way"
    lead={
      <>
        If <bdi>{to}</bdi> can get a letter from us, it arrives in a minute or two. Open the link in it; it works once,
        for {span}.
      </>
    }
  >
    <p>Nothing there? Look among the unwanted mail, or see whether the address has a slip in it.</p>
    <FormActions>
      <Button onClick={onRetry}>Try another address</Button>
    </FormActions>
  </Page>
)
