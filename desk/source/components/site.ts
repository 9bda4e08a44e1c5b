const metaContent = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content

/** The site's name, from the document's meta tags. */
export const siteName: string = metaContent('site') ?? 'Standfirst'

/** The name with only letters, digits and hyphens. */
export const siteSlug: string = metaContent('site-slug') ?? 'standfirst'

/** Who can sign up: open, invited or closed. */
export const signUp: string = metaContent('sign-up') ?? 'open'

/** The stylesheet of the public pages. */
export const pageStyle: string = metaContent('page-style') ?? ''
