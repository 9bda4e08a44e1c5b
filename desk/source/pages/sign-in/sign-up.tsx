import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { useFragment } from '../../components/router.ts'
import { signUp, siteName } from '../../components/site.ts'
import { LetterRequest } from './email-request.tsx'
import { Foot } from './footer.tsx'

export function Room() {
  const invitation = useFragment()
  if (signUp === 'closed') {
    return (
      <Page title="Sign-up is closed" lead={`${siteName} takes no new writers at the moment.`}>
        <SignIn />
      </Page>
    )
  }
  if (signUp === 'invited' && !invitation) {
    return (
      <Page
        title="You need an invitation"
        lead={`New writers join ${siteName} by invitation. If you have one, open the link in it.`}
      >
        <SignIn />
      </Page>
    )
  }
  return (
    <LetterRequest
      title="Begin to write"
      lead={`An address is all we need to start. We send a letter there; its link opens your desk at ${siteName}.`}
      act="Send me the letter"
      path="/sign-up"
      given={invitation ? { invitation } : {}}
    >
      <SignIn />
    </LetterRequest>
  )
}

const SignIn = () => (
  <Foot>
    Have you been here before? <Link to="/desk/sign-in">Sign in</Link>
  </Foot>
)
