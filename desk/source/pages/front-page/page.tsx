import { useState } from 'react'
import { withQuery } from '../../api/pages.ts'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useNavigationGuard } from '../../components/router.ts'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import {
  type Edited,
  earliestEnd,
  type FrontPageChoices,
  fromLocal,
  latestEnd,
  longestNote,
  toLocal,
  useChoices,
  useSavedChoices,
} from './choices.ts'
import styles from './front-page.module.css'
import { AddPin, PinList } from './pins.tsx'

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
  const attempt = useAttempt()
  return (
    <>
      <div className={styles.bar}>
        <p role="status">{isUnsaved ? t('desk.front-page.unsaved') : <LastSave of={saved} />}</p>
        <Button kind="main" disabled={!isUnsaved} isBusy={attempt.isBusy} onClick={attempt.handler(save)}>
          {t('desk.common.save')}
        </Button>
      </div>
      <ErrorNotice error={attempt.error} />
      {newer && (
        <Notice kind="bad">
          <p>{t('desk.front-page.newer', { name: newer.saved?.by ?? t('desk.front-page.someone') })}</p>
          <div className={styles.choice}>
            <Button onClick={takeTheirs}>{t('desk.front-page.take_theirs')}</Button>
            <Button onClick={keepMine}>{t('desk.front-page.keep_mine')}</Button>
          </div>
        </Notice>
      )}
      <Section title={t('desk.front-page.pins')} lead={t('desk.front-page.pins_about')} isWide>
        {edited.pins.length > 0 && <PinList pins={edited.pins} onPins={(pins) => change({ pins })} />}
        <AddPin pins={edited.pins} onPins={(pins) => change({ pins })} />
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
      <UnsavedDialog isUnsaved={isUnsaved} />
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

/** Asks before unsaved changes are lost. */
function UnsavedDialog({ isUnsaved }: { readonly isUnsaved: boolean }) {
  // In an object, since useState would call a function.
  const [pending, setPending] = useState<{ readonly leave: () => void }>()
  useNavigationGuard(isUnsaved, (leave) => setPending({ leave }))
  const stay = () => setPending(undefined)
  return (
    pending && (
      <Dialog title={t('desk.front-page.leave_title')} onClose={stay}>
        <p>{t('desk.front-page.leave_about')}</p>
        <DialogActions>
          <Button kind="grave" onClick={pending.leave}>
            {t('desk.front-page.leave')}
          </Button>
          <Button kind="main" onClick={stay}>
            {t('desk.common.cancel')}
          </Button>
        </DialogActions>
      </Dialog>
    )
  )
}
