import { useState } from 'react'
import { useProfile } from '../../api/account.ts'
import { callApiForFile } from '../../api/client.ts'
import { type DeskFollowers, longestWelcome, saveWelcome, useFollowers } from '../../api/followers.ts'
import { Button } from '../../components/button.tsx'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { axisMax } from '../../components/chart-scale.ts'
import { TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, FormActions, SubmitButton, useAttempt, useForm } from '../../components/form.tsx'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { UnsavedChanges } from '../../components/unsaved-changes.tsx'
import { rich, t } from '../../messages.ts'
import { Fediverse } from './fediverse.tsx'
import styles from './followers.module.css'
import { ImportList } from './import-list.tsx'

/** Who follows the writer by email, as numbers; what new followers get; and the download of their addresses. */
export function FollowersPage() {
  const query = useFollowers()
  const hasAny = query.data === undefined || query.data.days.some(({ gained, total }) => gained > 0 || total > 0)
  return (
    <Page title={t('desk.common.nav.followers')} lead={hasAny && t('desk.followers.lead')}>
      <Loaded query={query}>
        {({ total, days, welcome, imports }) => (
          <>
            {hasAny ? <Numbers total={total} days={days} /> : <NoFollowers />}
            <Welcome saved={welcome ?? ''} />
            {total > 0 && <DownloadList />}
            <ImportList imports={imports} />
            <Fediverse />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NoFollowers() {
  const { data: profile } = useProfile()
  return (
    <Empty title={t('desk.followers.empty')}>
      <p>{t('desk.followers.empty_text')}</p>
      {profile?.is_public && (
        <p>
          <a href={profile.urls.profile}>{t('desk.followers.profile')}</a>
        </p>
      )}
    </Empty>
  )
}

const recentDays = 30

function Numbers({ total, days }: Pick<DeskFollowers, 'total' | 'days'>) {
  const recent = days.slice(-recentDays)
  const sum = (name: 'gained' | 'lost') => recent.reduce((before, day) => before + day[name], 0)
  return (
    <section className={styles.numbers} aria-label={t('desk.common.nav.followers')}>
      <p className={styles.total}>
        {rich('desk.followers.total', { count: total, number: (content) => <strong>{content}</strong> })}
      </p>
      <p className={styles.change}>{t('desk.followers.change', { gained: sum('gained'), lost: sum('lost') })}</p>
      <Chart days={days} />
    </section>
  )
}

const chartHeight = 100

/** The total at the end of each day, as a line above its area. */
function Chart({ days }: Pick<DeskFollowers, 'days'>) {
  const top = axisMax(Math.max(...days.map(({ total }) => total)))
  const line = days.map(({ total }, at) => `${at} ${chartHeight - (chartHeight * total) / top}`).join('L')
  const last = days.length - 1
  return (
    <ChartFrame top={top} days={days}>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${last} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('desk.followers.chart', { first: days[0]!.total, last: days[last]!.total })}
      >
        <path className={styles.area} d={`M0 ${chartHeight}L${line}L${last} ${chartHeight}Z`} />
        <path className={styles.line} d={`M${line}`} vectorEffect="non-scaling-stroke" />
      </svg>
    </ChartFrame>
  )
}

function Welcome({ saved }: { readonly saved: string }) {
  const form = useForm({ text: saved })
  const save = async ({ text }: typeof form.values) => {
    const kept = await saveWelcome(text)
    form.change({ text: kept ?? '' })
    showToast(t(kept === null ? 'desk.followers.welcome_removed' : 'desk.followers.welcome_saved'))
  }
  return (
    <Section title={t('desk.followers.welcome')} lead={t('desk.followers.welcome_lead')}>
      <Form form={form} onSubmit={save}>
        <TextArea
          label={t('desk.followers.welcome_text')}
          hint={t('desk.followers.welcome_hint')}
          {...form.field('text')}
          limit={longestWelcome}
          rows={6}
          dir="auto"
        />
        <FormActions>
          <SubmitButton kind="plain">{t('desk.common.save')}</SubmitButton>
        </FormActions>
      </Form>
      <UnsavedChanges isUnsaved={form.values.text !== saved} />
    </Section>
  )
}

function DownloadList() {
  const attempt = useAttempt()
  const [name, setName] = useState<string>()
  const download = attempt.handler(async () => {
    setName(undefined)
    const file = await callApiForFile('/followers.csv')
    saveFile(file)
    setName(file.name)
  })
  return (
    <Section title={t('desk.followers.list')} lead={t('desk.followers.list_lead')}>
      <ErrorNotice error={attempt.error} />
      {name && <Notice kind="good">{t('desk.followers.list_saved', { name })}</Notice>}
      <Button isBusy={attempt.isBusy} onClick={download}>
        {t('desk.followers.list_download')}
      </Button>
    </Section>
  )
}
