import { houseName } from '../ui/house.ts'
import { Link } from '../ui/link.tsx'
import { Foot } from './foot.tsx'
import { LetterRequest } from './letter-request.tsx'

export const Room = () => (
  <LetterRequest
    title="Begin to write"
    lead={`An address is all we need to start. We send a letter there; its link opens your desk at ${houseName}.`}
    act="Send me the letter"
    path="/sign-up"
  >
    <Foot>
      Have you been here before? <Link to="/desk/sign-in">Sign in</Link>
    </Foot>
  </LetterRequest>
)
