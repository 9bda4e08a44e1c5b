import { RadioGroup } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { toLocal } from '../../components/local-time.ts'
import { t } from '../../messages.ts'
import styles from './publishing.module.css'

/** When to publish: undefined is now, otherwise the value of the field. */
interface WhenProps {
  readonly at: string | undefined
  readonly onAt: (at: string | undefined) => void
}

const hour = 3_600_000
const year = 365 * 24 * hour
const localIn = (ms: number): string => toLocal(new Date(Date.now() + ms).toISOString())

/** The next full hour that is at least half an hour away. */
const suggested = (): string => toLocal(new Date(Math.ceil((Date.now() + hour / 2) / hour) * hour).toISOString())

/** Now, or a date and time in the writer's own time zone, which is named. */
export const When = ({ at, onAt }: WhenProps) => (
  <div className={styles.when}>
    <RadioGroup
      label={t('desk.publish.when.title')}
      options={[
        { value: 'now', words: t('desk.publish.when.now') },
        { value: 'later', words: t('desk.publish.when.later') },
      ]}
      value={at === undefined ? 'now' : 'later'}
      onValue={(value) => onAt(value === 'now' ? undefined : suggested())}
    />
    {at !== undefined && (
      <Field
        label={t('desk.publish.when.at')}
        hint={t('desk.publish.when.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        type="datetime-local"
        required
        min={localIn(0)}
        max={localIn(year)}
        value={at}
        onText={onAt}
      />
    )}
  </div>
)
