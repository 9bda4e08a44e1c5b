import type { Page } from 'playwright-core'
import { type DeskSite, type Visitor, writerAtDesk } from './desk-site.ts'

/** A writer with a piece open in the editor. */
export interface OpenPiece extends Visitor {
  readonly id: string
  /** The text that the server has. */
  body(): Promise<string>
}

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** The caret is at the end of the text. */
export async function openPiece(site: DeskSite, body = 'Tea is slow.'): Promise<OpenPiece> {
  const visitor = await writerAtDesk(site)
  const id = await visitor.begin('On tea', body)
  await visitor.go(`/desk/edit/pieces/${id}`)
  await textOf(visitor.page).focus()
  await visitor.page.keyboard.press('Control+End')
  return { ...visitor, id, body: async () => (await visitor.ask('GET', `/pieces/${id}`)).piece.body_md }
}
