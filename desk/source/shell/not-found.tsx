import { Link } from '../components/link.tsx'
import { Page } from '../components/page.tsx'
import { SignedOutLayout } from './signed-out-layout.tsx'

export const NotFound = () => (
  <SignedOutLayout>
    <Page title="There is nothing here" lead="The address may have a slip in it, or what was here has gone.">
      <p>
        <Link to="/desk">To your pieces</Link>
      </p>
    </Page>
  </SignedOutLayout>
)
