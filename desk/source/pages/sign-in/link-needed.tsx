import { LinkButton } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'

/** For whoever comes without what stands after # in the link of a letter. */
export const LinkNeeded = ({ askAt }: { readonly askAt: string }) => (
  <Page
    title="This needs the link of a letter"
    lead="Open the link in the letter we sent you, whole. If it has gone, ask for another."
  >
    <LinkButton to={askAt}>Ask for another letter</LinkButton>
  </Page>
)
