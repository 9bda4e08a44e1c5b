import { withQuery } from '../../api/pages.ts'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { ConflictNotice } from '../../components/conflict-notice.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { fromLocal, toLocal } from '../../components/local-time.ts'
import { focusHeading, Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { rich, t } from '../../messages.ts'
import {
  type Edited,
  earliestEnd,
  type FrontPageChoices,
  latestEnd,
  longestNote,
  useChoices,
  useSavedChoices,
} from './choices.ts'
import styles from './front-page.module.css'
import { Pins } from './pins.tsx'

/** What comes first on the front page, for moderators. */
export function FrontPagePage() {
  const query = useSavedChoices()
  return (
    <Page title={t('desk.front-page.title')} lead={t('desk.front-page.lead')} isWide>
      <Loaded query={query}>{(first) => <EditFrontPage first={first} />}</Loaded>
    </Page>
  )
}

function EditFrontPage({ first }: { readonly first: FrontPageChoices }) {
  const { saved, edited, newer, isUnsaved, change, takeTheirs, keepMine, save } = useChoices(first)
  const { isBusy, error, handler } = useAttempt()
  /** The pressed button is removed with the notice. */
  const choose = (act: () => void) => () => {
    act()
    focusHeading()
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void handler(save)()
        }}
      >
        <div className={styles.bar}>
          <p role="status">{isUnsaved ? t('desk.front-page.unsaved') : <LastSave of={saved} />}</p>
          <Button type="submit" kind="main" disabled={!isUnsaved} isBusy={isBusy}>
            {t('desk.common.save')}
          </Button>
          <div className={styles.notices}>
            <ErrorNotice error={error} />
            {newer && (
              <ConflictNotice isBusy={isBusy} onKeep={choose(keepMine)} onUseOther={choose(takeTheirs)}>
                <p>{t('desk.front-page.newer', { name: newer.saved?.by ?? t('desk.front-page.someone') })}</p>
              </ConflictNotice>
            )}
          </div>
        </div>
        <Section title={t('desk.front-page.pins')} lead={t('desk.front-page.pins_about')} isWide>
          <Pins pins={edited.pins} onPins={(pins) => change({ pins })} />
        </Section>
        <Section title={t('desk.front-page.note')} lead={t('desk.front-page.note_about')}>
          <TextArea
            label={t('desk.front-page.note_text')}
            rows={2}
            limit={longestNote}
            value={edited.note}
            onText={(note) => change({ note })}
          />
          {edited.note.trim() && (
            <Field
              label={t('desk.front-page.until')}
              type="datetime-local"
              required
              min={earliestEnd()}
              max={latestEnd()}
              value={toLocal(edited.noteEnds)}
              onText={(text) => change({ noteEnds: fromLocal(text) ?? edited.noteEnds })}
            />
          )}
        </Section>
        <Preview edited={edited} />
      </form>
      <UnsavedChanges isUnsaved={isUnsaved} />
    </>
  )
}

const LastSave = ({ of: { saved } }: { readonly of: FrontPageChoices }) =>
  saved
    ? rich('desk.front-page.last_save', {
        name: <bdi>{saved.by ?? t('desk.front-page.someone')}</bdi>,
        time: <Time at={saved.at} isPast />,
      })
    : t('desk.front-page.never_saved')

/** The real page, drawn by the server with what is not saved yet, at half its size. */
function Preview({ edited: { pins, note } }: { readonly edited: Edited }) {
  const choices = { pins: pins.map(({ id }) => id).join(','), note: note.trim().slice(0, longestNote) }
  const address = useDebounced(withQuery('/desk/front-page/preview', choices))
  return (
    <Section title={t('desk.front-page.preview')} lead={t('desk.front-page.preview_about')} isWide>
      <iframe
        key={address}
        className={styles.frame}
        title={t('desk.front-page.preview')}
        src={address}
        sandbox=""
        tabIndex={-1}
      />
    </Section>
  )
}
