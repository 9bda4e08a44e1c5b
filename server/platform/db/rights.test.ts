import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testDatabase } from '../../../testkit/database.ts'
import { differingLines, rightsFile, rightsOf } from '../../../testkit/db/schema-files.ts'

/** A second check of every grant: none changes without its line in rights.txt. */

const { admin } = await testDatabase()

async function list<Row>(sql: string): Promise<Row[]> {
  const { rows } = await admin.query(sql)
  return rows
}

test('the database allows what rights.txt says, and nothing else', async () => {
  const differences = differingLines(await readFile(rightsFile, 'utf8'), await rightsOf(admin))
  assert.ok(
    differences.length === 0,
    `rights have changed; run \`npm run db:rights\` and read the difference in review:\n${differences.join('\n')}`,
  )
})

const planted = [
  ['one column for one role', 'grant select (headline) on app.pieces to svc_worker'],
  ['a function for everyone', 'grant execute on function app.desk_unpublish(uuid, bytea) to public'],
  ['a role that takes on another', 'grant svc_publisher to svc_api'],
  [
    'temporary tables',
    'do $$ begin execute format($f$grant temp on database %I to public$f$, current_database()); end $$',
  ],
  ['a trigger that sleeps', 'alter table app.pieces enable trigger guard_status'],
  ['row security not forced', 'alter table app.pieces no force row level security'],
  ['a wider policy', 'alter policy key_reads_own on app.pieces using (true)'],
  ['a function that looks elsewhere', 'alter function app.desk_publish reset search_path'],
  [
    'a right on tables to come',
    'alter default privileges for role svc_owner in schema app grant select on tables to svc_public',
  ],
] as const

for (const [what, statement] of planted) {
  test(`the comparison tells of ${what}`, async () => {
    const before = await rightsOf(admin)
    const client = await admin.connect()
    try {
      await client.query('begin')
      await client.query(statement)
      assert.notDeepEqual(differingLines(before, await rightsOf(client)), [])
    } finally {
      await client.query('rollback')
      client.release()
    }
    assert.deepEqual(differingLines(before, await rightsOf(admin)), [])
  })
}

for (const column of ['editor_status', 'slug', 'first_published_at', 'review_required']) {
  test(`only the owner and the publisher may write ${column} of a piece`, async () => {
    const writers = await list<{ grantee: string; privilege_type: string }>(
      `select grantee, privilege_type from information_schema.column_privileges
        where table_schema = 'app' and table_name = 'pieces' and column_name = '${column}'
          and privilege_type in ('INSERT', 'UPDATE')
        order by grantee, privilege_type`,
    )
    assert.deepEqual(
      writers.map(({ grantee, privilege_type }) => `${grantee} ${privilege_type}`),
      ['svc_owner INSERT', 'svc_owner UPDATE', 'svc_publisher INSERT', 'svc_publisher UPDATE'],
    )
  })
}

test('every guard fires always, replication or not', async () => {
  const guards = await list<{ guard: string; enabled: string }>(
    `select tgrelid::regclass || ' ' || tgname as guard, tgenabled as enabled from pg_trigger where tgname ~ '^guard_'`,
  )
  assert.ok(guards.length >= 8, `only ${guards.length} guards`)
  assert.deepEqual(
    guards.filter(({ enabled }) => enabled !== 'A'),
    [],
  )
})

test('every table of the public wing has its guard', async () => {
  const unguarded = await list(
    `select oid::regclass as relation from pg_class
      where relnamespace = 'pub'::regnamespace and relkind in ('r', 'p')
        and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'guard_public')`,
  )
  assert.deepEqual(unguarded, [])
})

test("every function with its owner's rights is the site's own and looks in pg_catalog alone", async () => {
  const definers = await list<{ name: string; owner: string; settings: string[] | null }>(
    `select oid::regprocedure::text as name, pg_get_userbyid(proowner) as owner, proconfig as settings from pg_proc
      where prosecdef and pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,
  )
  assert.ok(definers.length >= 2, `only ${definers.length} such functions`)
  for (const { name, owner, settings } of definers) {
    assert.ok(['svc_publisher', 'svc_owner'].includes(owner), `${name} is ${owner}'s`)
    // Unless named, pg_temp would be searched first.
    assert.deepEqual(settings, ['search_path=pg_catalog, pg_temp'], name)
  }
})

test("with the publisher's rights the desk has its acts, a key the body of its drafts and their deletion, the worker the trash, what websites and links show, what is read most and what to read next, what it delivers, what its emails name and what its writer scheduled, and nobody else anything", async () => {
  const callable = await list<{ role: string; name: string }>(
    `select role, proname::text as name from pg_proc, unnest(array['svc_public', 'svc_api', 'svc_desk', 'svc_worker']) as role
      where proowner = 'svc_publisher'::regrole and has_function_privilege(role, pg_proc.oid, 'execute')
      order by role, name`,
  )
  const desk = [
    ...['desk_approve', 'desk_publish', 'desk_reject', 'desk_request_changes', 'desk_resubmit', 'desk_revise'],
    ...[
      'desk_set_front_page',
      'desk_submit',
      'desk_suspend',
      'desk_take_down',
      'desk_unpublish',
      'desk_update',
      'desk_withdraw',
    ],
    ...['make_nonce', 'status_for_review'],
    ...['add_media', 'desk_media', 'pictures_of', 'set_portrait'],
    ...[
      'make_preview_link',
      'make_preview_page',
      'preview_link_state',
      'preview_links',
      'previewed',
      'previewed_co_authors',
      'previewed_cover',
      'previewed_media',
      'previewed_meta',
      'previewed_translations',
      'revoke_preview_link',
    ],
    ...['desk_set_identity', 'review_before'],
    ...['desk_ask_website_check', 'desk_rename', 'desk_set_profile', 'own_writer'],
    ...['desk_list_product', 'desk_order_products', 'desk_update_product', 'desk_withdraw_product'],
    ...['desk_set_webhook', 'desk_ping', 'desk_rotate_webhook', 'desk_pause_webhook', 'desk_resume_webhook'],
    ...['desk_remove_webhook', 'desk_resend', 'delivery_to_fill', 'fill_delivery'],
    ...['receipt_to_sign', 'sign_receipt'],
    ...['delete_piece', 'empty_trash', 'restore_piece', 'trash_of'],
    ...['desk_withhold_product', 'desk_appeal', 'desk_decide_appeal'],
    ...['answer_translation', 'ask_to_translate', 'translations_asked'],
    ...['answer_co_author', 'co_author_invitations', 'co_authored_piece', 'desk_set_co_authors', 'writers_to_invite'],
    ...['desk_delete_series', 'desk_save_series'],
    ...['desk_set_slug', 'slug_of_piece'],
    ...['desk_schedule', 'desk_unschedule'],
    ...[
      'add_comment',
      'comment_by_link',
      'comments_by',
      'comments_by_link',
      'comments_of',
      'delete_comment',
      'settle_comment',
    ],
    ...['desk_confirm_imports', 'desk_import', 'desk_publish_imported', 'import_problem'],
  ].sort()
  assert.deepEqual(callable, [
    { role: 'svc_api', name: 'delete_piece' },
    { role: 'svc_api', name: 'draft_body' },
    ...desk.map((name) => ({ role: 'svc_desk', name })),
    ...[
      'claim_deliveries',
      'co_author_email',
      'comment_email',
      'comments_to_tell',
      'count_topics',
      'delivery_figures',
      'delivery_to_fill',
      'due_schedules',
      'fill_delivery',
      'forget_former_secrets',
      'is_co_author',
      'keep_link_card',
      'keep_related',
      'keep_terms',
      'keep_website_check',
      'links_to_fetch',
      'newest_key_drafts',
      'pack_history',
      'pieces_with_untried_links',
      'publish_scheduled',
      'receipt_to_sign',
      'remove_pieces',
      'review_email',
      'schedule_email',
      'score_trending',
      'settle_deliveries',
      'sign_receipt',
      'sweep_deliveries',
      'sweep_trash',
      'translation_email',
      'void_schedules_to_notify',
    ].map((name) => ({ role: 'svc_worker', name })),
  ])
})

test('a public surface can call what counts reads, names the language of a locale or the topic of a tag, and finds actors of the fediverse, and nothing else of the site', async () => {
  const callable = await list<{ name: string }>(
    `select proname::text as name from pg_proc
      where pronamespace in ('app'::regnamespace, 'pub'::regnamespace, 'jobs'::regnamespace)
        and has_function_privilege('svc_public', oid, 'execute') and pg_get_userbyid(proowner) ~ '^svc_' order by 1`,
  )
  assert.deepEqual(
    callable.map(({ name }) => name),
    [
      'add_reads',
      'fediverse_actor',
      'fediverse_pieces',
      'language_of',
      'language_of_tag',
      'reader_salt',
      'topic_of',
      'was_public',
    ],
  )
})

test('a public surface has no right in the private schema', async () => {
  const rights = await list(
    `select 'schema app' as thing where has_schema_privilege('svc_public', 'app', 'usage, create')
     union all
     select oid::regclass::text from pg_class
      where relnamespace = 'app'::regnamespace
        and case when relkind = 'S' then has_sequence_privilege('svc_public', oid, 'usage, select, update')
                 when relkind in ('r', 'p', 'v', 'm', 'f') then
                   has_table_privilege('svc_public', oid, 'delete, truncate, trigger')
                   or has_any_column_privilege('svc_public', oid, 'select, insert, update, references') end
     union all
     select oid::regprocedure::text from pg_proc
      where pronamespace = 'app'::regnamespace and has_function_privilege('svc_public', oid, 'execute')`,
  )
  assert.deepEqual(rights, [])
})
