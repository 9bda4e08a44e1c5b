import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { t } from '../messages.ts'
import { mostWords, wordsIn } from './word-goal.ts'

interface GoalDialogProps {
  readonly words: number | undefined
  readonly onGoal: (words: number | undefined) => void
  readonly onClose: () => void
}

export function GoalDialog({ words, onGoal, onClose }: GoalDialogProps) {
  const [text, setText] = useState(words === undefined ? '' : String(words))
  const [isRefused, setRefused] = useState(false)
  const set = (goal: number | undefined) => {
    onGoal(goal)
    onClose()
  }
  return (
    <Dialog title={t('desk.editor.goal.title')} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const goal = wordsIn(text)
          if (goal) set(goal)
          else setRefused(true)
        }}
      >
        <Field
          label={t('desk.editor.goal.field')}
          hint={t('desk.editor.goal.about')}
          problem={isRefused ? t('desk.editor.goal.problem', { most: mostWords }) : undefined}
          value={text}
          inputMode="numeric"
          autoComplete="off"
          onText={(next) => {
            setText(next)
            setRefused(false)
          }}
        />
        <DialogActions>
          {words !== undefined && (
            <Button kind="quiet" onClick={() => set(undefined)}>
              {t('desk.editor.goal.remove')}
            </Button>
          )}
          <Button kind="quiet" onClick={onClose}>
            {t('desk.common.cancel')}
          </Button>
          <Button kind="main" type="submit">
            {t('desk.common.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
