import { useEffect, useRef, useState } from 'react'
import { MessageError } from '../../../../server/sync/imports/message-error.ts'
import { siteOf } from '../../../../server/sync/imports/site.ts'
import { useAccount } from '../../api/account.ts'
import { errorMessage } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Checkbox, Select } from '../../components/choices.tsx'
import { Field } from '../../components/field.tsx'
import { useFileInput } from '../../components/file-input.tsx'
import { FormActions } from '../../components/form.tsx'
import { languageName } from '../../components/language.ts'
import { Notice } from '../../components/notice.tsx'
import { focusHeading, Page, Section } from '../../components/page.tsx'
import { say, t } from '../../messages.ts'
import styles from './import.module.css'
import { type Found, readFile } from './read-file.ts'
import { Report } from './report.tsx'
import { importPosts, type Outcome } from './run-import.ts'

/** `reading` and `importing` count posts. */
type State =
  | { readonly at: 'choose'; readonly problem?: string }
  | { readonly at: 'reading' | 'importing'; readonly done: number; readonly total: number }
  | { readonly at: 'found' }
  | { readonly at: 'done'; readonly problem?: string; readonly isStopped: boolean }

const problemText = (error: unknown): string => (error instanceof MessageError ? say(error.said) : errorMessage(error))

/** Posts of another service become drafts. */
export function ImportPage() {
  const { data: account } = useAccount()
  const [state, setState] = useState<State>({ at: 'choose' })
  const [found, setFound] = useState<Found>()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  // The button that had the focus is gone.
  const { at } = state
  const shown = useRef(at)
  useEffect(() => {
    if (shown.current !== at) focusHeading()
    shown.current = at
  }, [at])

  async function read(file: File, site?: string): Promise<void> {
    setState({ at: 'reading', done: 0, total: 0 })
    try {
      setFound(await readFile(file, site, (done, total) => setState({ at: 'reading', done, total })))
      setState({ at: 'found' })
    } catch (error) {
      setState({ at: 'choose', problem: problemText(error) })
    }
  }

  async function run(choices: Choices): Promise<void> {
    if (!found || !account?.writer) return
    const stop = new AbortController()
    stopping.current = stop
    const all: Outcome[] = []
    const total = found.posts.length
    setState({ at: 'importing', done: 0, total })
    let problem: string | undefined
    try {
      await importPosts(found.posts, {
        ...choices,
        files: found.files,
        service: found.service,
        writer: account.writer.id,
        signal: stop.signal,
        onOutcome: (outcome) => {
          all.push(outcome)
          setState({ at: 'importing', done: all.length, total })
        },
      })
    } catch (error) {
      problem = problemText(error)
    }
    setOutcomes(all)
    setState({ at: 'done', isStopped: stop.signal.aborted, ...(problem === undefined ? {} : { problem }) })
    await invalidate('pieces')
  }

  return (
    <Page
      title={t('desk.import.title')}
      back={{ to: '/desk', words: t('desk.common.nav.pieces') }}
      lead={t('desk.import.lead')}
    >
      {state.at === 'choose' && <Choose problem={state.problem} onFile={(file) => void read(file)} />}
      {(state.at === 'reading' || state.at === 'importing') && (
        <Section title={t(state.at === 'reading' ? 'desk.import.reading' : 'desk.import.importing')}>
          <label className={styles.progress}>
            {t('desk.import.progress', { done: state.done, total: state.total })}
            <progress max={Math.max(state.total, 1)} value={state.done} />
          </label>
          {state.at === 'importing' && (
            <FormActions>
              <Button onClick={() => stopping.current?.abort()}>{t('desk.import.stop')}</Button>
            </FormActions>
          )}
        </Section>
      )}
      {state.at === 'found' && found && (
        <FoundPosts
          found={found}
          onSite={(site) => void read(found.file, site)}
          onImport={(choices) => void run(choices)}
          onCancel={() => setState({ at: 'choose' })}
        />
      )}
      {state.at === 'done' && found && (
        <>
          <Done {...state} outcomes={outcomes} total={found.posts.length} onAgain={() => setState({ at: 'found' })} />
          <Report lost={found.lost} posts={outcomes.map(({ post, notes }) => ({ post, notes }))} isOpen />
        </>
      )}
    </Page>
  )
}

interface ChooseProps {
  readonly problem: string | undefined
  readonly onFile: (file: File) => void
}

function Choose({ problem, onFile }: ChooseProps) {
  const accepted = '.zip,.json,.xml,.md,.markdown,.html'
  const { choose, input, dropTarget } = useFileInput(t('desk.import.choose_file'), accepted, onFile)
  return (
    <Section title={t('desk.import.choose')} lead={t('desk.import.choose_lead')}>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <div className={styles.drop} {...dropTarget}>
        <Button kind="main" onClick={choose}>
          {t('desk.import.choose_file')}
        </Button>
        <p>{t('desk.import.drop')}</p>
      </div>
      {input}
      <dl className={styles.services}>
        {(['ghost', 'medium', 'substack', 'devto', 'wordpress', 'markdown'] as const).map((service) => (
          <div key={service}>
            <dt>{serviceName[service]}</dt>
            <dd>{t(`desk.import.from.${service}`)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const serviceName = {
  ghost: 'Ghost',
  medium: 'Medium',
  substack: 'Substack',
  devto: 'dev.to',
  wordpress: 'WordPress',
  markdown: 'Markdown',
} as const

interface Choices {
  readonly language: string
  readonly copiesPictures: boolean
}

const languageCodes =
  'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt pt-BR ro ru sv sw th tr uk ur vi zh zh-TW'.split(
    ' ',
  )

interface FoundProps {
  readonly found: Found
  readonly onSite: (site: string) => void
  readonly onImport: (choices: Choices) => void
  readonly onCancel: () => void
}

function FoundPosts({ found, onSite, onImport, onCancel }: FoundProps) {
  const { posts, service, lost } = found
  const here = document.documentElement.lang
  const [language, setLanguage] = useState(languageCodes.includes(here) ? here : 'en')
  const [copiesPictures, setCopies] = useState(true)
  const [site, setSite] = useState('')
  const [isNoSite, setNoSite] = useState(false)
  const drafts = posts.filter(({ wasPublic }) => !wasPublic).length
  const pictures = new Set(posts.flatMap(({ pictures, cover }) => [...pictures, ...(cover ? [cover] : [])])).size
  const dates = posts.flatMap(({ date }) => date ?? []).sort()
  return (
    <>
      <Section title={t('desk.import.found', { count: posts.length, service: serviceName[service] })}>
        <div className={styles.summary}>
          <p role="status">
            {t('desk.import.found_text', { published: posts.length - drafts, drafts })}{' '}
            {dates.length > 0 && t('desk.import.found_dates', { first: dates[0]!, last: dates.at(-1)! })}
          </p>
          <p>{t('desk.import.as_drafts')}</p>
        </div>
        {(service === 'ghost' || service === 'substack') && (
          <form
            className={styles.site}
            onSubmit={(event) => {
              event.preventDefault()
              const address = siteOf(site)
              if (address) onSite(address)
              setNoSite(address === undefined)
            }}
          >
            <Field
              label={t('desk.import.site')}
              hint={t('desk.import.site_hint')}
              value={site}
              onText={setSite}
              problem={isNoSite ? t('desk.common.problem.not_an_address') : undefined}
              inputMode="url"
              autoComplete="url"
            />
            <Button type="submit">{t('desk.import.site_apply')}</Button>
          </form>
        )}
        {posts.some(({ draft }) => draft.locale === undefined) && (
          <Select
            label={t('desk.import.language')}
            hint={t('desk.import.language_hint')}
            options={languageCodes.map((code) => [code, languageName(code)] as const)}
            value={language}
            onValue={setLanguage}
          />
        )}
        {pictures > 0 && (
          <Checkbox
            label={t('desk.import.copy', { count: pictures })}
            hint={t('desk.import.copy_hint')}
            isOn={copiesPictures}
            onChange={setCopies}
          />
        )}
        <FormActions>
          <Button kind="main" onClick={() => onImport({ language, copiesPictures })}>
            {t('desk.import.start', { count: posts.length })}
          </Button>
          <Button onClick={onCancel}>{t('desk.import.other_file')}</Button>
        </FormActions>
      </Section>
      <Report lost={lost} posts={posts.map((post) => ({ post, notes: post.lost }))} />
    </>
  )
}

interface DoneProps {
  readonly outcomes: readonly Outcome[]
  readonly total: number
  readonly problem?: string
  readonly isStopped: boolean
  readonly onAgain: () => void
}

function Done({ outcomes, total, problem, isStopped, onAgain }: DoneProps) {
  const count = (result: Outcome['result']): number => outcomes.filter((one) => one.result === result).length
  const isWhole = outcomes.length === total
  const failed = outcomes.filter(({ result }) => result === 'failed')
  return (
    <Section title={t(isWhole ? 'desk.import.done' : 'desk.import.not_done')}>
      {problem && <Notice kind="bad">{problem}</Notice>}
      <Notice kind={isWhole ? 'good' : 'plain'}>
        <p>{t('desk.import.made', { made: count('made'), existing: count('existing') })}</p>
        {count('deleted') > 0 && <p>{t('desk.import.deleted', { count: count('deleted') })}</p>}
        {!isWhole && <p>{t('desk.import.rest', { count: total - outcomes.length })}</p>}
      </Notice>
      {failed.length > 0 && (
        <Notice kind="bad">
          <p>{t('desk.import.failed', { count: failed.length })}</p>
          <ul>
            {failed.map(({ post, problem: why }) => (
              <li key={post.origin}>
                <bdi>{post.draft.headline}</bdi>: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <FormActions>
        {(problem !== undefined || isStopped) && !isWhole && (
          <Button kind="main" onClick={onAgain}>
            {t('desk.import.continue')}
          </Button>
        )}
        <LinkButton to="/desk/import/publish" kind={isWhole ? 'main' : 'plain'}>
          {t('desk.import.publish')}
        </LinkButton>
        <LinkButton to="/desk">{t('desk.import.see')}</LinkButton>
      </FormActions>
    </Section>
  )
}
