import { Link } from '../../components/link.tsx'
import { LetterRequest } from './email-request.tsx'
import { Foot } from './footer.tsx'

export const Room = () => (
  <LetterRequest
    title="A new password"
    lead="Give the address you sign in with. The letter we send there has a link to set a new password."
    act="Send me the letter"
    path="/forgot-password"
  >
    <Foot>
      Remembered it? <Link to="/desk/sign-in">Sign in</Link>
    </Foot>
  </LetterRequest>
)
