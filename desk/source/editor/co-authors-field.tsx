import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CoAuthors, WritersToInvite } from '../../../server/features/pieces/co-authors-schema.ts'
import { callApi } from '../api/client.ts'
import { withQuery } from '../api/pages.ts'
import { queries } from '../api/queries.ts'
import { FieldGroup, useSearch } from '../components/choices.tsx'
import { ChosenList } from '../components/chosen-list.tsx'
import { ErrorNotice } from '../components/form.tsx'
import { Loading } from '../components/load-states.tsx'
import { Notice, showToast } from '../components/notice.tsx'
import { t } from '../messages.ts'
import type { Saver } from './saving/saver.ts'

type CoAuthor = CoAuthors['authors'][number]

/** As the database has it (co_authors_per_piece). */
const maxAuthors = 10
const keyOf = (id: string | null) => ['piece-co-authors', id] as const

/** Who else signs the piece: each change is saved at once. In a chunk of its own, as few pieces have any. */
export function CoAuthorsField({ saver }: { readonly saver: Saver }) {
  const id = saver.id()
  const [draft, setDraft] = useState<readonly CoAuthor[]>()
  const { data, error } = useQuery({
    queryKey: keyOf(id),
    queryFn: async () => (await callApi<CoAuthors>('GET', `/pieces/${id}/co-authors`)).authors,
    enabled: id !== null,
    // One of them may have answered meanwhile.
    staleTime: 0,
  })
  const authors = draft ?? data ?? (id === null ? [] : undefined)
  const [failure, setFailure] = useState<unknown>()
  const [problem, setProblem] = useState<string>()
  const last = useRef<readonly CoAuthor[]>(undefined)
  const queue = useRef(Promise.resolve())
  /** The whole list is sent, one request after the other: of several changes that wait, the last one says it all. */
  const change = (wanted: readonly CoAuthor[]) => {
    setDraft(wanted)
    last.current = wanted
    queue.current = queue.current.then(() => send(wanted))
  }
  const send = async (wanted: readonly CoAuthor[]) => {
    if (last.current !== wanted) return
    try {
      setFailure(undefined)
      const reason = await unsavedReason(saver)
      setProblem(reason)
      if (reason) return
      await save(saver.id()!, wanted)
    } catch (error) {
      setFailure(error)
    } finally {
      if (last.current === wanted) setDraft(undefined)
    }
  }
  return (
    <FieldGroup label={t('desk.editor.co_authors.label')} hint={t('desk.editor.co_authors.hint')}>
      <ErrorNotice error={error ?? failure} />
      {problem && <Notice kind="bad">{problem}</Notice>}
      {authors ? <CoAuthorList authors={authors} onAuthors={change} /> : !error && <Loading />}
    </FieldGroup>
  )
}

async function save(id: string, wanted: readonly CoAuthor[]): Promise<void> {
  const before = queries.getQueryData<readonly CoAuthor[]>(keyOf(id)) ?? []
  const { authors } = await callApi<CoAuthors>('PUT', `/pieces/${id}/co-authors`, {
    authors: wanted.map(({ slug }) => slug),
  })
  queries.setQueryData(keyOf(id), authors)
  const invited = authors.find(({ slug, answer }) => answer === null && !before.some((one) => one.slug === slug))
  if (invited) showToast(t('desk.editor.co_authors.invited', { name: invited.name }))
}

/** They read what is saved. Why it is not, if it is not. */
async function unsavedReason(saver: Saver): Promise<string | undefined> {
  const { kind } = await saver.flush()
  if (kind === 'textless') return t('desk.editor.co_authors.without_text')
  return kind === 'saved' && saver.id() ? undefined : t('desk.editor.co_authors.not_saved')
}

interface CoAuthorListProps {
  readonly authors: readonly CoAuthor[]
  readonly onAuthors: (authors: readonly CoAuthor[]) => void
}

function CoAuthorList({ authors, onAuthors }: CoAuthorListProps) {
  const search = useSearch(100)
  const query = useQuery({
    queryKey: ['writers-to-invite', search.q],
    queryFn: async ({ signal }) => {
      if (search.q === '') return []
      const path = withQuery('/co-authors/writers', { q: search.q })
      const { writers } = await callApi<WritersToInvite>('GET', path, undefined, { signal })
      return writers.map(({ slug, name }) => ({ id: slug, name }))
    },
    placeholderData: keepPreviousData,
  })
  return (
    <ChosenList
      title={t('desk.editor.co_authors.label')}
      items={authors}
      idOf={({ slug }) => slug}
      nameOf={({ name }) => name}
      aboutItem={({ answer }) => <p>{t('desk.editor.co_authors.status', { answer: answer ?? 'invited' })}</p>}
      toItem={({ id, name }) => ({ slug: id, name, answer: null })}
      onItems={onAuthors}
      asksToRemove={({ name, answer }) =>
        answer === 'agreed'
          ? {
              title: t('desk.editor.co_authors.remove_title', { name }),
              about: t('desk.editor.co_authors.remove_about'),
            }
          : undefined
      }
      search={search}
      query={query}
      label={t('desk.editor.co_authors.find')}
      add={t('desk.editor.co_authors.invite')}
      addOne={(name) => t('desk.editor.co_authors.invite_one', { name })}
      aboutOf={({ id }) => id}
      full={authors.length >= maxAuthors && t('desk.editor.co_authors.full')}
      empty={(q) => (q ? t('desk.editor.co_authors.none_found', { query: q }) : '')}
    />
  )
}
