import { Link } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { Threshold } from './threshold.tsx'

export const Nowhere = () => (
  <Threshold>
    <Page title="There is nothing here" lead="The address may have a slip in it, or what was here has gone.">
      <p>
        <Link to="/desk">To your pieces</Link>
      </p>
    </Page>
  </Threshold>
)
