import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Time } from '../../components/time.tsx'
import styles from './links.module.css'

interface PrivateLink {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly last_seen_at: string | null
}

interface NewLink {
  readonly id: string
  readonly url: string
  readonly expires_at: string
}

const lifetimes = { 1: 'one day', 7: 'a week', 30: 'a month' } as const

const keyOf = (id: string) => ['links', id] as const

/** Links that still work. */
export const usePrivateLinks = (id: string) =>
  useQuery({
    queryKey: keyOf(id),
    queryFn: async () =>
      (await callApi<{ readonly links: readonly PrivateLink[] }>('GET', `/pieces/${id}/links`)).links,
  })

/** The fragment of the section. */
export const linksAnchor = 'private-links'

/** Private links show an unpublished piece to people the writer trusts, for a limited time. */
export function PrivateLinks({ id }: { readonly id: string }) {
  const queries = useQueryClient()
  const field = useId()
  const { data } = usePrivateLinks(id)
  const [days, setDays] = useState<keyof typeof lifetimes>(7)
  const [made, setMade] = useState<NewLink>()
  const [error, setError] = useState<unknown>()
  const attempt = async (act: () => Promise<void>) => {
    setError(undefined)
    try {
      await act()
    } catch (error) {
      setError(error)
    }
    await queries.invalidateQueries({ queryKey: keyOf(id) })
  }
  const make = () =>
    attempt(async () =>
      setMade((await callApi<{ readonly link: NewLink }>('POST', `/pieces/${id}/links`, { days })).link),
    )
  const revoke = (link: string) =>
    attempt(async () => {
      await callApi('DELETE', `/pieces/${id}/links/${link}`)
      if (made?.id === link) setMade(undefined)
    })

  return (
    <section className={styles.links} id={linksAnchor} tabIndex={-1} aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>Show it to somebody first</h2>
      <p>Whoever has a private link can read the piece as it is then, without signing in, until the link ends.</p>
      {error !== undefined && <Notice kind="bad">{errorMessage(error)}</Notice>}
      {made && (
        <div className={styles.made} role="status">
          <p>Here is the link. It is shown this once.</p>
          <code>{made.url}</code>
          <CopyButton text={made.url} label="Copy the link" />
        </div>
      )}
      <div className={styles.make}>
        <label htmlFor={field}>It works for</label>
        <select
          id={field}
          value={days}
          onChange={(event) => setDays(Number(event.target.value) as keyof typeof lifetimes)}
        >
          {Object.entries(lifetimes).map(([count, words]) => (
            <option key={count} value={count}>
              {words}
            </option>
          ))}
        </select>
        <Button onClick={() => void make()}>Make a link</Button>
      </div>
      {data && data.length > 0 && (
        <ul>
          {data.map(({ id: link, created_at, expires_at, last_seen_at }) => (
            <li key={link}>
              <span>
                Made <Time at={created_at} />, ends <Time at={expires_at} />
                {last_seen_at ? (
                  <>
                    , last opened <Time at={last_seen_at} />
                  </>
                ) : (
                  ', not opened yet'
                )}
              </span>
              <Button kind="quiet" onClick={() => void revoke(link)}>
                End it
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
