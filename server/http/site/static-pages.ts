import type { FastifyPluginAsync } from 'fastify'
import { type SiteInfo, type SitePage, sitePages } from '#config/site-info.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { html, storedMarkup } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { renderMarkdown } from '#platform/markdown/render.ts'
import { page } from './page.ts'

/** `/about`, `/imprint`, `/privacy`: the site's own texts or our defaults. Rendered once, at startup. */
export const staticPageRoutes: FastifyPluginAsync<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const defaults = defaultTexts(siteInfo, reads.urls)
  app.addHook('onSend', cached('publicRead'))

  for (const name of sitePages) {
    const { title, body } = splitTitle(siteInfo.texts[name] ?? defaults[name], headings[name])
    const { html: rendered } = renderMarkdown(body)
    const main = html`<div class="column">
<h1 class="title">${title}</h1>
<div class="prose">
${storedMarkup(rendered)}
</div>
</div>`
    app.get(
      `/${name}`,
      { onRequest: gate('list', 'read'), schema: { hide: true } as object },
      async (_request, reply) => page(reply, context, { title, canonical: reads.urls.page(name) }, main),
    )
  }
}

const headings: Readonly<Record<SitePage, string>> = { about: 'About', imprint: 'Imprint', privacy: 'Privacy' }

/** A leading `# About us` becomes the page's headline. */
function splitTitle(source: string, otherwise: string): { title: string; body: string } {
  const [, title, body] = /^\s*#[ \t]+(.+?)[ \t#]*\n([\s\S]*)$/.exec(`${source}\n`) ?? []
  return title === undefined ? { title: otherwise, body: source } : { title, body: body ?? '' }
}

/** True for every unmodified installation. A site adds the rest in SITE_FOLDER. */
function defaultTexts({ name, description, contact }: SiteInfo, urls: Urls): Record<SitePage, string> {
  const write = contact
    ? `Write to [${contact}](mailto:${contact}).`
    : 'The site has not given an address for letters yet.'
  return {
    about: `# About ${name}

${description}

Everything here is free to read: no account, no cookies, no scripts. Each piece is by the person named above it; a tick beside a name means that ${name} has checked who they are.

Follow what is new by [RSS](${urls.siteFeedRss()}) or [JSON Feed](${urls.siteFeedJson()}), for the whole site or for one author. Programs are welcome too: [for developers](${urls.page('developers')}).

## Writing here

A piece belongs to who wrote it, can be taken along whole at any time, and is found by readers, feeds and programs the moment its writer publishes it. [Begin at the desk](${urls.page('desk')}).

## Questions

${write} Every piece and every listing has a link at its end to report it.
`,
    imprint: `# Imprint

${name} is found at ${urls.home()}.

Who runs it, and where, is for this site to say; it has not done so yet.

${write}
`,
    privacy: `# Privacy

## When you read

${name} sets no cookies on its pages and runs no scripts in them. Its log says which kind of page was asked for, when, and how long that took. It holds neither your network address nor the address of the page.

To keep a single visitor from taking all of its time, the server counts requests by network address. Each count is gone after two minutes.

How often a piece is read is counted, and which site or link led to it. So that nobody counts twice on a day, the server keeps a hash of your network address, your browser's name and the piece, whose key is thrown away when the day is over; neither is kept itself, and nobody can tell from it what else you read. So that nobody counts a piece up, reads of each network are limited, by hashes of the network with the same key.

Fonts and styles come from here, and so do pictures that writers put here. Other pictures in a piece come from wherever its writer keeps them; whoever runs that place sees that your browser asked for them, as with any picture on the web.

## When you write

Writers have an account: an e-mail address, and a password or a passkey. The desk sets three cookies: one keeps a writer signed in, for up to 14 days; one remembers for 400 days that a device has been here before, so that a stranger's guesses cannot lock its writer out; and one, for 30 seconds after something was published, lets whoever did it see it at once. With each session its network address and the browser's name are kept, so that a writer can see where they are signed in, for at most 44 days after they last signed in or confirmed who they are. What a writer publishes is public; drafts are seen by their writer alone, and by moderators once they are submitted. Pictures lose the place and the device they were taken with before they are kept. A writer can take everything along, and can delete all of it, at the desk, and with it what moderators noted about them. What stays is the address of their page, which nobody else is given, and that something was done, without names or words; what backups still hold goes when they are thrown away.

## When you report something

What you send is read by moderators. Your name and email address, if you give them, are kept with it until a moderator has decided. One email says there what was decided; then both are deleted, within a month also where the email cannot be sent. What you reported is deleted three months after that decision. Of your network address only a hash is kept, whose key is thrown away each day.

## Your data

${write}
`,
  }
}
