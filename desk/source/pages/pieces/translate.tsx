import type { DeskPiece, DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { CreatePieceBody } from '../../../../server/features/pieces/draft-schema.ts'
import { callApi, newId } from '../../api/client.ts'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { languageName } from '../../components/language.ts'
import { navigate } from '../../components/router.ts'
import { t } from '../../messages.ts'
import { textOf } from './actions.ts'
import { type DeskListItem, invalidatePieces } from './queries.ts'

interface TranslateDialogProps {
  readonly piece: DeskListItem
  readonly onClose: () => void
}

/** Asks for the language, and opens a draft with the text to translate. */
export const TranslateDialog = ({ piece: { id, headline }, onClose }: TranslateDialogProps) => (
  <FormDialog
    title={t('desk.pieces.translate.title', { headline })}
    about={t('desk.pieces.translate.about')}
    initial={{ locale: '' }}
    isReady={({ locale }) => isLanguage(locale)}
    onSubmit={async ({ locale }) => {
      const { piece } = await callApi<DeskPieceFound>('GET', `/pieces/${id}`)
      const draft = newId()
      await callApi('POST', `/pieces?id=${draft}`, translationDraft(piece, locale.trim()))
      await invalidatePieces()
      navigate(`/desk/edit/pieces/${draft}`)
    }}
    submit={t('desk.pieces.translate.create')}
    onClose={onClose}
  >
    {({ field, values: { locale } }) => (
      <Field
        label={t('desk.pieces.translate.language')}
        hint={isLanguage(locale) ? languageName(locale) : t('desk.pieces.translate.language_hint')}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
        {...field('locale')}
      />
    )}
  </FormDialog>
)

/** A translation of a translation names the first original. Where that was first published elsewhere, this was not. */
const translationDraft = (piece: DeskPiece, locale: string): CreatePieceBody => ({
  ...textOf(piece),
  locale,
  translation_of: piece.translation_of?.id ?? piece.id,
})

/** Whether it is formed like a language code (BCP 47). */
function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text.trim()).length > 0 && text.trim() !== ''
  } catch {
    return false
  }
}
