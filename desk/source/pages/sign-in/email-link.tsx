import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type { WayIn } from '../../../../server/features/accounts/schema.ts'
import { problemOf, Refusal } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { LinkButton } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useFragment } from '../../components/router.ts'
import { Foot } from './footer.tsx'
import { LinkNeeded } from './link-needed.tsx'

interface LetterLinkProps {
  readonly opens: 'verify' | 'reset'
  /** What the page is for, while it is not known whether the link works. */
  readonly title: string
  /** Where another letter is asked for. */
  readonly askAt: string
  readonly children: (token: string, waysIn: readonly WayIn[]) => ReactNode
}

/** Looks at the link of a letter before anything is asked of the person. The look does not use it up. */
export function LetterLink({ opens, title, askAt, children }: LetterLinkProps) {
  const token = useFragment()
  const link = useQuery({
    queryKey: ['link', opens, token],
    queryFn: ({ signal }) => ask<{ readonly ways_in: readonly WayIn[] }>('POST', '/link', { token, opens }, { signal }),
    enabled: token !== '',
    // Once is enough: what is typed here must not go because the window was left for the letter.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!token) return <LinkNeeded askAt={askAt} />
  if (link.isSuccess) return <Fragment key={token}>{children(token, link.data.ways_in)}</Fragment>
  if (isDeadLink(link.error)) return <LinkDead askAt={askAt} />
  return (
    <Page title={title}>
      {link.isError ? <NotLoaded error={link.error} onAgain={link.refetch} /> : <Loading words="Looking at the link" />}
    </Page>
  )
}

/** Whether the site refused the link itself: it is not known, was used or has expired, or is no link at all. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 410 || problemOf(error, 'token') !== undefined)

export const LinkDead = ({ askAt }: { readonly askAt: string }) => (
  <Page
    title="This link does not work"
    lead="The link is incomplete, was used already, or is too old. Open it again from the email, or ask for a new one."
  >
    <LinkButton to={askAt}>Send a new email</LinkButton>
    <Foot>
      Was it you who used it? <Link to="/desk/sign-in">Sign in</Link>
    </Foot>
  </Page>
)
