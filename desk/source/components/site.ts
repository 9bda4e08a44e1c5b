const said = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content

/** The name on the siteInfo, as the document says it. */
export const siteName: string = said('site') ?? 'Standfirst'

/** The same where only letters, digits and hyphens may stand. */
export const siteSlug: string = said('site-slug') ?? 'standfirst'

/** Who can sign up. */
export const signUp: string = said('sign-up') ?? 'open'

/** The stylesheet of the public pages. */
export const pageStyle: string = said('page-style') ?? ''
