import type { BrowserContext, Page } from 'playwright-core'
import { type DeskSite, saved, type Visitor, writerAtDesk } from './desk-site.ts'

/** A writer with a piece open in the editor. */
export interface OpenPiece extends Visitor {
  readonly id: string
  /** The text that the server has. */
  body(): Promise<string>
}

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** As after "Show Markdown", on pages that are opened from now on. */
export const showSigns = (context: BrowserContext) =>
  context.addInitScript("localStorage.setItem('markdown-signs', 'shown')")

/** The caret is at the end of the text. */
export async function openPiece(
  site: DeskSite,
  body = 'Tea is slow.',
  { showsSigns = false } = {},
): Promise<OpenPiece> {
  const visitor = await writerAtDesk(site)
  if (showsSigns) await showSigns(visitor.context)
  const id = await visitor.begin('On tea', body)
  await visitor.go(`/desk/edit/pieces/${id}`)
  await textOf(visitor.page).focus()
  await visitor.page.keyboard.press('Control+End')
  return { ...visitor, id, body: async () => (await visitor.ask('GET', `/pieces/${id}`)).piece.body_md }
}

/** Opens pieces of given texts, with the caret at the end. What it answers saves, and reads what the server has. */
export const pieceOpener =
  ({ page, go, ask, begin }: Visitor) =>
  async (body: string, headline = 'On tea'): Promise<() => Promise<unknown>> => {
    const id = await begin(headline, body)
    await go(`/desk/edit/pieces/${id}`)
    await textOf(page).focus()
    await page.keyboard.press('Control+End')
    return async () => {
      await page.keyboard.press('Control+s')
      await saved(page)
      return (await ask('GET', `/pieces/${id}`)).piece.body_md
    }
  }
