import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnFediverse } from '../../../../server/features/fediverse/desk-schema.ts'
import { callApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { CopyButton } from '../../components/button.tsx'
import { Checkbox } from '../../components/choices.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { Section } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import styles from './followers.module.css'

const key = ['fediverse'] as const

/** Whether the writer can be followed from Mastodon and the like, where, and by how many. */
export function Fediverse() {
  const query = useQuery({ queryKey: key, queryFn: () => callApi<OwnFediverse>('GET', '/fediverse') })
  return (
    <Section title={t('desk.followers.fediverse')} lead={t('desk.followers.fediverse_lead')}>
      <Loaded query={query}>{(state) => <Switch state={state} />}</Loaded>
    </Section>
  )
}

function Switch({ state }: { readonly state: OwnFediverse }) {
  const attempt = useAttempt()
  const [isOn, setOn] = useState(state.is_on)
  const choose = (wanted: boolean) =>
    attempt.handler(async () => {
      setOn(wanted)
      try {
        queries.setQueryData(key, await callApi<OwnFediverse>('PUT', '/fediverse', { is_on: wanted }))
      } catch (error) {
        setOn(!wanted)
        throw error
      }
      showToast(t(wanted ? 'desk.followers.fediverse_is_on' : 'desk.followers.fediverse_is_off'))
    })()
  const address = `@${state.address}`
  return (
    <>
      <ErrorNotice error={attempt.error} />
      <Checkbox
        label={t('desk.followers.fediverse_switch')}
        hint={t('desk.followers.fediverse_hint')}
        isOn={isOn}
        onChange={choose}
      />
      {state.is_on && (
        <>
          <p className={styles.address}>
            <code dir="ltr">{address}</code>
            <CopyButton text={address} />
          </p>
          <p>{t('desk.followers.fediverse_count', { count: state.followers })}</p>
        </>
      )}
    </>
  )
}
