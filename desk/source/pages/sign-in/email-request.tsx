import { type ReactNode, useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Acts, Form, useAttempt } from '../../components/form.tsx'
import { Page } from '../../components/page.tsx'

interface LetterRequestProps {
  readonly title: string
  readonly lead: string
  readonly act: string
  /** Where the address goes. */
  readonly path: '/sign-up' | '/forgot-password'
  /** What goes there with it. */
  readonly given?: object
  readonly children: ReactNode
}

/** How long the letter's link works, as the server has it. */
const spans = { '/sign-up': '24 hours', '/forgot-password': 'one hour' } as const

/** An address is given, and what happens next is in a letter: the page says no more, whether or not there is one. */
export function LetterRequest({ title, lead, act, path, given, children }: LetterRequestProps) {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const attempt = useAttempt()
  const request = attempt.by(async () => {
    await ask('POST', path, { email, ...given })
    setSentTo(email.trim())
  })
  if (sentTo) return <OnItsWay key={sentTo} to={sentTo} span={spans[path]} onAgain={() => setSentTo(undefined)} />
  return (
    <Page title={title} lead={lead}>
      <Form attempt={attempt} onSubmit={request}>
        <Field
          label="E-mail address"
          type="email"
          autoComplete="email"
          value={email}
          onText={setEmail}
          problem={problemOf(attempt.error, 'email') && 'This is no e-mail address we can write to.'}
          required
        />
        <Acts>
          <Button kind="main" type="submit" isBusy={attempt.isBusy}>
            {act}
          </Button>
        </Acts>
      </Form>
      {children}
    </Page>
  )
}

interface OnItsWayProps {
  readonly to: string
  readonly span: string
  readonly onAgain: () => void
}

const OnItsWay = ({ to, span, onAgain }: OnItsWayProps) => (
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
    <Acts>
      <Button onClick={onAgain}>Try another address</Button>
    </Acts>
  </Page>
)
