/** Written by `npm run messages` from en.json: the kind of every value that a message takes. */
export interface MessageValues {
  'cli.account.allowed': { email: 'text' }
  'cli.account.barred': { email: 'text' }
  'cli.account.barred_already': { email: 'text' }
  'cli.account.help': {}
  'cli.account.help_allow': {}
  'cli.account.help_bar': {}
  'cli.account.help_history_verify': {}
  'cli.account.help_sign_out': {}
  'cli.account.histories_broken': { broken: 'text'; count: 'number' }
  'cli.account.histories_verified': { count: 'number' }
  'cli.account.history_broken': { account: 'text'; number: 'text' }
  'cli.account.history_event_broken': { number: 'text' }
  'cli.account.history_verified': { count: 'number' }
  'cli.account.link_again': { command: 'text' }
  'cli.account.link_warning': {}
  'cli.account.no_history': { file: 'text' }
  'cli.account.not_an_email': { given: 'text' }
  'cli.account.not_barred': { email: 'text' }
  'cli.account.signed_out': { count: 'number'; email: 'text' }
  'cli.account.unconfirmed': { email: 'text' }
  'cli.account.unknown': { email: 'text' }
  'cli.appeal.decision': { category: 'text'; facts: 'text' }
  'cli.appeal.done_reversed': {}
  'cli.appeal.done_reversed_public': {}
  'cli.appeal.done_upheld': {}
  'cli.appeal.help': {}
  'cli.appeal.help_list': {}
  'cli.appeal.help_reason': {}
  'cli.appeal.help_reverse': {}
  'cli.appeal.help_uphold': {}
  'cli.appeal.none': {}
  'cli.appeal.text': { text: 'text' }
  'cli.appeal.unknown': { command: 'text' }
  'cli.backup.database': { tables: 'number'; rows: 'number'; size: 'text' }
  'cli.backup.done': { file: 'text'; size: 'text' }
  'cli.backup.exists': { file: 'text' }
  'cli.backup.help': {}
  'cli.backup.hidden_rows': { role: 'text'; tables: 'text'; command: 'text'; grant: 'text' }
  'cli.backup.images': { count: 'text'; size: 'text' }
  'cli.backup.images_missing': { count: 'number' }
  'cli.backup.keep_safe': {}
  'cli.backup.no_media_url': { count: 'number' }
  'cli.backup.no_tool': { tool: 'text'; least: 'text'; package: 'text' }
  'cli.backup.not_migrated': { count: 'number'; command: 'text' }
  'cli.backup.old_tool': { tool: 'text'; major: 'text'; least: 'text'; package: 'text' }
  'cli.backup.other_started': { file: 'text' }
  'cli.backup.started': { name: 'text'; address: 'text'; major: 'text' }
  'cli.backup.tool_failed': { tool: 'text'; code: 'text'; output: 'text' }
  'cli.bad_reason': { most: 'text' }
  'cli.bounces.help': {}
  'cli.bounces.help_maildir': {}
  'cli.bounces.noted': { count: 'number' }
  'cli.certificate_untrusted': { reason: 'text'; example: 'text' }
  'cli.config.address': { name: 'text'; example: 'text' }
  'cli.config.address_options': { name: 'text'; parameter: 'text' }
  'cli.config.address_scheme': { name: 'text'; schemes: 'text' }
  'cli.config.admin_port': {}
  'cli.config.agent': { name: 'text' }
  'cli.config.base_url_https': { scheme: 'text' }
  'cli.config.base_url_needed': { example: 'text' }
  'cli.config.bounce_address': { name: 'text'; most: 'text'; example: 'text' }
  'cli.config.bounce_provider': { name: 'text'; example: 'text' }
  'cli.config.collector': { name: 'text'; headers: 'text' }
  'cli.config.database_needed': { example: 'text' }
  'cli.config.dkim_key': { name: 'text' }
  'cli.config.existing_file': { name: 'text' }
  'cli.config.file_empty': { name: 'text'; file: 'text' }
  'cli.config.file_unreadable': { code: readonly ('EACCES' | 'EISDIR' | 'ENOENT' | 'other')[]; name: 'text'; file: 'text'; reason: 'text' }
  'cli.config.given': { value: 'text' }
  'cli.config.headers': { name: 'text' }
  'cli.config.host_names': { name: 'text' }
  'cli.config.host_ports': { name: 'text' }
  'cli.config.jobs_address': { name: 'text' }
  'cli.config.jobs_address_pooled': { name: 'text' }
  'cli.config.listener_needed': {}
  'cli.config.mail_needed': { example: 'text' }
  'cli.config.media_url': { name: 'text'; folder: 'text'; bucket: 'text' }
  'cli.config.networks': { name: 'text' }
  'cli.config.number': { name: 'text'; least: 'text'; most: 'text' }
  'cli.config.one_of': { name: 'text'; words: 'text' }
  'cli.config.one_replica': {}
  'cli.config.path': { name: 'text'; example: 'text' }
  'cli.config.problems': {}
  'cli.config.proof_invalid': { file: 'text'; command: 'text' }
  'cli.config.proof_unreadable': { reason: 'text' }
  'cli.config.purge_url': { name: 'text'; schemes: 'text' }
  'cli.config.secret': { name: 'text'; least: 'text'; command: 'text' }
  'cli.config.secret_guessable': { name: 'text'; command: 'text' }
  'cli.config.secret_needed': { name: 'text'; command: 'text' }
  'cli.config.sender': { name: 'text'; example: 'text' }
  'cli.config.set_twice': { name: 'text'; file: 'text' }
  'cli.config.share': { name: 'text' }
  'cli.config.site_file': { file: 'text'; reason: 'text' }
  'cli.config.site_folder': { folder: 'text' }
  'cli.config.surface_address': { name: 'text'; surface: 'text' }
  'cli.config.surface_address_pooled': { name: 'text'; surface: 'text' }
  'cli.database_unreachable': { reason: 'text'; command: 'text' }
  'cli.dev.database': {}
  'cli.dev.debugging': {}
  'cli.dev.desk': {}
  'cli.dev.email': { subject: 'text' }
  'cli.dev.emails_here': {}
  'cli.dev.emails_sent': {}
  'cli.dev.key': {}
  'cli.dev.key_again': {}
  'cli.dev.postgresql_failed': {}
  'cli.dev.postgresql_root': { folder: 'text'; example: 'text' }
  'cli.dev.recent': {}
  'cli.dev.reference': {}
  'cli.dev.restarts': { command: 'text' }
  'cli.dev.running': { address: 'text' }
  'cli.dev.saved': { files: 'text' }
  'cli.dev.search': {}
  'cli.dev.server_down': {}
  'cli.dev.server_ended': {}
  'cli.dev.sign_in': { accounts: 'text'; password: 'text' }
  'cli.dev.starting_postgresql': {}
  'cli.doctor.auth_secret': {}
  'cli.doctor.backup': { command: 'text' }
  'cli.doctor.base_url': { address: 'text' }
  'cli.doctor.base_url_http': { address: 'text' }
  'cli.doctor.bucket': { bucket: 'text'; endpoint: 'text' }
  'cli.doctor.bucket_by_role': { bucket: 'text'; endpoint: 'text'; role: 'text' }
  'cli.doctor.clock': {}
  'cli.doctor.clock_wrong': { seconds: 'number'; direction: readonly ('ahead' | 'other')[] }
  'cli.doctor.config_valid': {}
  'cli.doctor.database_down': { name: 'text'; reason: 'text' }
  'cli.doctor.desk': {}
  'cli.doctor.direct': { name: 'text' }
  'cli.doctor.direct_unused': {}
  'cli.doctor.dkim_incomplete': { given: 'text'; missing: 'text' }
  'cli.doctor.healthy': {}
  'cli.doctor.help': {}
  'cli.doctor.indexes': {}
  'cli.doctor.key_can_publish': { statement: 'text' }
  'cli.doctor.key_cannot_publish': {}
  'cli.doctor.media': { place: 'text' }
  'cli.doctor.media_failed': { place: 'text'; reason: 'text' }
  'cli.doctor.newer_database': { migrations: 'text'; command: 'text' }
  'cli.doctor.no_backup': { reason: 'text' }
  'cli.doctor.no_desk': { install: 'text'; build: 'text' }
  'cli.doctor.no_direct': {}
  'cli.doctor.no_indexes': { indexes: 'text'; folder: 'text' }
  'cli.doctor.no_media': { example: 'text' }
  'cli.doctor.no_membership': { roles: 'text'; statement: 'text' }
  'cli.doctor.no_pooled_address': { roles: 'text'; names: 'text' }
  'cli.doctor.no_redis': {}
  'cli.doctor.no_rights': { name: 'text'; command: 'text' }
  'cli.doctor.no_smtp': {}
  'cli.doctor.not_migrated': { count: 'number'; command: 'text' }
  'cli.doctor.old_secrets_key': { count: 'number'; command: 'text' }
  'cli.doctor.outbound_allow': {}
  'cli.doctor.postgresql': { major: 'text' }
  'cli.doctor.postgresql_old': { major: 'text' }
  'cli.doctor.problems': { count: 'number' }
  'cli.doctor.purge': { cache: 'text' }
  'cli.doctor.purge_failed': { cache: 'text'; reason: 'text' }
  'cli.doctor.receipt_key': { key: 'text'; name: 'text' }
  'cli.doctor.redis': {}
  'cli.doctor.redis_down': {}
  'cli.doctor.right_user': { name: 'text'; role: 'text' }
  'cli.doctor.rights': {}
  'cli.doctor.rights_changed': { file: 'text' }
  'cli.doctor.search': {}
  'cli.doctor.search_late': { count: 'number'; time: 'text'; command: 'text' }
  'cli.doctor.search_stopped': { count: 'number'; time: 'text'; command: 'text' }
  'cli.doctor.secret_default': { name: 'text'; command: 'text' }
  'cli.doctor.secret_guessable': { name: 'text'; command: 'text' }
  'cli.doctor.secrets_decrypted': {}
  'cli.doctor.secrets_key': {}
  'cli.doctor.shared_address': { roles: 'text'; names: 'text' }
  'cli.doctor.smtp': {}
  'cli.doctor.smtp_failed': { reason: 'text' }
  'cli.doctor.unknown_secrets_key': { count: 'number' }
  'cli.doctor.unused_secrets_key': {}
  'cli.doctor.wrong_user': { name: 'text'; user: 'text'; role: 'text' }
  'cli.done_of': { done: 'text'; total: 'text' }
  'cli.field_refused': { constraint: 'text' }
  'cli.file_unreadable': { file: 'text'; reason: 'text' }
  'cli.file_unwritable': { file: 'text'; reason: 'text' }
  'cli.healthcheck.failed': { address: 'text'; status: 'text' }
  'cli.healthcheck.help': {}
  'cli.healthcheck.help_port': {}
  'cli.healthcheck.no_answer': { address: 'text'; reason: 'text' }
  'cli.healthcheck.no_port': {}
  'cli.help.after_error': { command: 'text' }
  'cli.help.arguments': {}
  'cli.help.commands': {}
  'cli.help.help_command': {}
  'cli.help.help_option': {}
  'cli.help.options': {}
  'cli.help.standfirst': {}
  'cli.help.usage': {}
  'cli.images': {}
  'cli.import.bad_site': { option: 'text'; example: 'text' }
  'cli.import.done': { count: 'number'; written: 'text'; unchanged: 'text'; kept: 'text' }
  'cli.import.help': {}
  'cli.import.help_into': {}
  'cli.import.help_push': {}
  'cli.import.help_site': {}
  'cli.import.kept': { file: 'text' }
  'cli.import.lost': { what: 'text' }
  'cli.import.next': { command: 'text' }
  'cli.import.report': { service: 'text' }
  'cli.import.report_category': { member: 'text' }
  'cli.import.report_export': {}
  'cli.import.see_report': { count: 'number'; file: 'text' }
  'cli.import.unknown_service': { service: 'text'; services: 'text' }
  'cli.invite.closed': {}
  'cli.invite.help': {}
  'cli.invite.help_email': {}
  'cli.invite.link': {}
  'cli.invite.sent': { email: 'text' }
  'cli.key.ambiguous': { count: 'number'; command: 'text' }
  'cli.key.bad_days': { most: 'text'; flag: 'text' }
  'cli.key.bad_name': { most: 'text' }
  'cli.key.help': {}
  'cli.key.help_list': {}
  'cli.key.help_mint': {}
  'cli.key.help_mint_days': {}
  'cli.key.help_mint_name': {}
  'cli.key.help_mint_no_end': {}
  'cli.key.help_mint_scope': { scopes: 'text' }
  'cli.key.help_revoke': {}
  'cli.key.none': { command: 'text' }
  'cli.key.not_found': { command: 'text' }
  'cli.key.revoked': {}
  'cli.key.shown_once': {}
  'cli.key.state_expired': { day: 'text' }
  'cli.key.state_expires': { day: 'text' }
  'cli.key.state_revoked': { day: 'text' }
  'cli.key.state_unused': {}
  'cli.key.state_used': { day: 'text' }
  'cli.key.unknown_scope': { scope: 'text'; scopes: 'text' }
  'cli.listing.allowed': { slug: 'text' }
  'cli.listing.help': {}
  'cli.listing.help_allow': {}
  'cli.listing.help_withdraw': {}
  'cli.listing.help_withdraw_reason': {}
  'cli.listing.unknown': { address: 'text' }
  'cli.listing.withdrawn': { slug: 'text' }
  'cli.migrate.about': { time: 'text' }
  'cli.migrate.applied': { name: 'text' }
  'cli.migrate.applied_files': { functions: 'number'; triggers: 'number'; policies: 'number' }
  'cli.migrate.failed': { name: 'text'; reason: 'text' }
  'cli.migrate.failed_step': { name: 'text'; step: 'text'; steps: 'text'; reason: 'text' }
  'cli.migrate.functions': { count: 'number' }
  'cli.migrate.help': {}
  'cli.migrate.help_plan': {}
  'cli.migrate.how': { kind: readonly ('alone' | 'batch' | 'other')[] }
  'cli.migrate.later_release': { migrations: 'text' }
  'cli.migrate.lock': { lock: 'text'; tables: 'text'; effect: readonly ('blocks_all' | 'blocks_nothing' | 'blocks_writes' | 'locks_changed_rows' | 'other')[] }
  'cli.migrate.locks_nothing': {}
  'cli.migrate.missing': { command: 'text' }
  'cli.migrate.not_measured': { command: 'text' }
  'cli.migrate.not_permitted': { reason: 'text'; createRole: 'text'; grant: 'text' }
  'cli.migrate.plan_explained': { size: 'text'; rows: 'text' }
  'cli.migrate.queue': { from: 'text'; to: 'text' }
  'cli.migrate.release_too_old': { migrations: 'text' }
  'cli.migrate.rows': { done: 'text'; total: 'text' }
  'cli.migrate.step': { step: 'text'; steps: 'text' }
  'cli.migrate.table_size': { name: 'text'; rows: 'number'; size: 'text' }
  'cli.migrate.takes_alone': { time: 'text' }
  'cli.migrate.takes_batches': { time: 'text' }
  'cli.migrate.takes_instant': {}
  'cli.migrate.takes_scan': { tables: 'text'; time: 'text' }
  'cli.migrate.too_old': { name: 'text'; command: 'text' }
  'cli.migrate.under_a_second': {}
  'cli.migrate.up_to_date': { count: 'number' }
  'cli.moderator.already': { email: 'text'; role: readonly ('operator' | 'other')[] }
  'cli.moderator.help': {}
  'cli.moderator.help_add': {}
  'cli.moderator.help_add_name': {}
  'cli.moderator.help_add_operator': {}
  'cli.moderator.linked': { email: 'text'; role: readonly ('operator' | 'other')[] }
  'cli.moderator.promoted': { email: 'text'; role: readonly ('operator' | 'other')[] }
  'cli.no_database_url': {}
  'cli.not_json': { file: 'text' }
  'cli.number_between': { least: 'text'; most: 'text' }
  'cli.number_whole': {}
  'cli.openapi.help': {}
  'cli.passkeys.help': {}
  'cli.passkeys.help_reseal': {}
  'cli.passkeys.resealed': { count: 'number' }
  'cli.port_taken': { port: 'text'; option: 'text' }
  'cli.pull.added': { count: 'number' }
  'cli.pull.both_changed': { option: 'text' }
  'cli.pull.done': { fetched: 'text'; unchanged: 'text'; kept: 'text'; failed: 'text' }
  'cli.pull.fetched': { file: 'text' }
  'cli.pull.file_exists': { file: 'text' }
  'cli.pull.help': {}
  'cli.pull.help_force': {}
  'cli.pull.others': { count: 'number' }
  'cli.push.both_changed': { option: 'text' }
  'cli.push.done': { made: 'text'; changed: 'text'; unchanged: 'text'; failed: 'text' }
  'cli.push.draft_differs': { option: 'text' }
  'cli.push.draft_gone': { option: 'text' }
  'cli.push.duplicate_id': { file: 'text'; member: 'text' }
  'cli.push.elsewhere': { sites: 'text'; site: 'text' }
  'cli.push.help': {}
  'cli.push.help_dry_run': {}
  'cli.push.help_force': {}
  'cli.push.next': { address: 'text' }
  'cli.push.not_a_draft': { status: readonly ('approved' | 'changes_requested' | 'other' | 'pending')[] }
  'cli.push.not_reached': { count: 'number' }
  'cli.push.not_sent': { name: 'text'; count: 'number' }
  'cli.push.skipped': { file: 'text'; reason: 'text' }
  'cli.push.was_changed': { file: 'text' }
  'cli.push.was_made': { file: 'text' }
  'cli.push.why_date': {}
  'cli.push.why_draft': {}
  'cli.push.why_slug': {}
  'cli.push.why_title': {}
  'cli.push.would_be_changed': { file: 'text' }
  'cli.push.would_be_done': { made: 'text'; changed: 'text'; unchanged: 'text'; failed: 'text' }
  'cli.push.would_be_made': { file: 'text' }
  'cli.receipt.bad_address': { path: 'text' }
  'cli.receipt.broken.changed': {}
  'cli.receipt.broken.no_keys': {}
  'cli.receipt.broken.no_piece': {}
  'cli.receipt.broken.no_receipt': {}
  'cli.receipt.broken.not_requested': { id: 'text' }
  'cli.receipt.broken.other_date': {}
  'cli.receipt.broken.other_piece': {}
  'cli.receipt.broken.other_version': { receipt: 'text'; piece: 'text' }
  'cli.receipt.broken.unknown_key': { key: 'text' }
  'cli.receipt.broken.wrong_key_id': {}
  'cli.receipt.broken.wrong_signature': {}
  'cli.receipt.failed': { address: 'text'; status: 'text' }
  'cli.receipt.help': {}
  'cli.receipt.help_key': { path: 'text' }
  'cli.receipt.help_piece': {}
  'cli.receipt.help_verify': {}
  'cli.receipt.no_keys': { path: 'text'; flag: 'text' }
  'cli.receipt.not_found': { address: 'text' }
  'cli.receipt.not_proven': {}
  'cli.receipt.not_verified': {}
  'cli.receipt.proven.content': {}
  'cli.receipt.proven.piece': { id: 'text'; slug: 'text' }
  'cli.receipt.proven.piece_titled': { title: 'text'; slug: 'text'; id: 'text' }
  'cli.receipt.proven.published': { role: readonly ('moderator' | 'other')[]; published: 'text'; first: 'text' }
  'cli.receipt.proven.signed': {}
  'cli.receipt.redirected': { address: 'text'; target: 'text' }
  'cli.receipt.too_large': { address: 'text' }
  'cli.receipt.unproven.key': {}
  'cli.receipt.unproven.name': {}
  'cli.receipt.unproven.newest': {}
  'cli.receipt.unproven.person': {}
  'cli.receipt.unproven.text': {}
  'cli.receipt.unreachable': { address: 'text'; reason: 'text' }
  'cli.receipt.verified': {}
  'cli.restore.contents': { file: 'text'; name: 'text'; address: 'text'; created: 'text'; release: 'text'; postgresql: 'text'; rows: 'number'; images: 'number' }
  'cli.restore.damaged': { reason: 'text' }
  'cli.restore.damaged_content': { name: 'text' }
  'cli.restore.damaged_end': {}
  'cli.restore.damaged_entry': { name: 'text' }
  'cli.restore.damaged_extra': { name: 'text' }
  'cli.restore.damaged_format': { name: 'text' }
  'cli.restore.damaged_missing': { name: 'text' }
  'cli.restore.damaged_order': {}
  'cli.restore.damaged_size': { name: 'text' }
  'cli.restore.damaged_tail': {}
  'cli.restore.database': { tables: 'number'; rows: 'number' }
  'cli.restore.differs': { differences: 'text' }
  'cli.restore.done': {}
  'cli.restore.help': {}
  'cli.restore.help_check': {}
  'cli.restore.help_into': {}
  'cli.restore.image_not_kept': { hash: 'text' }
  'cli.restore.images': { count: 'text'; size: 'text' }
  'cli.restore.images_missing': { count: 'number' }
  'cli.restore.later_release': { release: 'text' }
  'cli.restore.migrated': { count: 'number' }
  'cli.restore.new_webhook_secrets': {}
  'cli.restore.next_check': { command: 'text' }
  'cli.restore.next_passwords': {}
  'cli.restore.next_revisit': { created: 'text' }
  'cli.restore.next_start': {}
  'cli.restore.no_media_url': { count: 'number' }
  'cli.restore.not_empty': { name: 'text'; create: 'text'; option: 'text' }
  'cli.restore.old_postgresql': { needed: 'text'; found: 'text' }
  'cli.restore.other_keys': { count: 'number'; names: 'text' }
  'cli.restore.reseal_passkeys': { command: 'text' }
  'cli.restore.table_differs': { name: 'text' }
  'cli.restore.table_missing': { name: 'text' }
  'cli.restore.table_rows': { name: 'text'; found: 'text'; expected: 'text' }
  'cli.restore.table_unexpected': { name: 'text' }
  'cli.search.built': { pieces: 'number'; segments: 'number' }
  'cli.search.help': {}
  'cli.search.help_build': {}
  'cli.search.help_status': {}
  'cli.search.indexed': { done: 'text'; total: 'text' }
  'cli.search.no_trie': {}
  'cli.search.not_running': { command: 'text' }
  'cli.search.outdated': { count: 'text'; minutes: 'number' }
  'cli.search.progress': {}
  'cli.search.progress_done': { count: 'text' }
  'cli.search.progress_left': { done: 'text'; total: 'text'; minutes: 'number' }
  'cli.search.progress_merging': {}
  'cli.search.running': {}
  'cli.search.segment_state': { state: readonly ('binding' | 'other' | 'retired')[] }
  'cli.search.segment_trie': { id: 'text' }
  'cli.search.segments': {}
  'cli.search.size': { size: 'text' }
  'cli.search.trie': { id: 'text'; trained: 'text'; pieces: 'number'; strings: 'number' }
  'cli.search.waiting': { count: 'text'; time: 'text'; minutes: 'number' }
  'cli.secrets.help': {}
  'cli.secrets.help_reseal': {}
  'cli.secrets.old_key_left': { count: 'number' }
  'cli.secrets.old_keys_unused': {}
  'cli.secrets.resealed': { count: 'number'; total: 'number' }
  'cli.secrets.unknown_key': { count: 'number' }
  'cli.seed.api_key': {}
  'cli.seed.credentials': {}
  'cli.seed.done': { authors: 'number'; pieces: 'number'; drafts: 'number'; products: 'number' }
  'cli.seed.help': {}
  'cli.seed.help_authors': {}
  'cli.seed.help_json': {}
  'cli.seed.help_pieces': {}
  'cli.seed.help_rng': {}
  'cli.seed.loaded': { count: 'text' }
  'cli.seed.moderator': {}
  'cli.seed.next': { address: 'text' }
  'cli.seed.not_empty': {}
  'cli.seed.progress': {}
  'cli.seed.took': { rows: 'number'; indexes: 'number' }
  'cli.seed.writer': {}
  'cli.serve.help': {}
  'cli.serve.help_surfaces': { names: 'text' }
  'cli.serve.help_worker': {}
  'cli.serve.unknown_surface': { names: 'text' }
  'cli.sync.again_after': { time: 'text'; day: readonly ('other' | 'tomorrow')[] }
  'cli.sync.again_later': {}
  'cli.sync.answered': { status: 'text' }
  'cli.sync.bad_key': { prefix: 'text' }
  'cli.sync.failed': { file: 'text'; reason: 'text' }
  'cli.sync.file_too_large': { most: 'text' }
  'cli.sync.help_key_file': {}
  'cli.sync.help_url': {}
  'cli.sync.invalid': { name: 'text'; problem: 'text' }
  'cli.sync.invalid_length': { name: 'text'; problem: 'text'; actual: 'text' }
  'cli.sync.key_refused': { site: 'text' }
  'cli.sync.list_item': { name: 'text'; number: 'text' }
  'cli.sync.more_failed': { count: 'number' }
  'cli.sync.no_folder': { path: 'text' }
  'cli.sync.no_key': { option: 'text' }
  'cli.sync.no_text': {}
  'cli.sync.no_title': { member: 'text'; heading: 'text' }
  'cli.sync.no_url': { example: 'text' }
  'cli.sync.not_a_site': { address: 'text'; status: 'text' }
  'cli.sync.not_https': { site: 'text' }
  'cli.sync.not_utf8': {}
  'cli.sync.path_unusable': { path: 'text'; code: 'text' }
  'cli.sync.skipped_link': {}
  'cli.sync.skipped_mdx': {}
  'cli.sync.skipped_readme': {}
  'cli.sync.state_damaged': { file: 'text' }
  'cli.sync.state_unwritable': { file: 'text'; reason: 'text' }
  'cli.sync.text': {}
  'cli.sync.timeout': { seconds: 'text' }
  'cli.sync.unreadable': { code: 'text' }
  'cli.sync.unwritable': { code: 'text' }
  'cli.sync.waiting': { seconds: 'text'; reason: 'text' }
  'cli.undo': { command: 'text' }
  'cli.usage.did_you_mean': { names: 'text' }
  'cli.usage.invalid_value': { value: 'text'; reason: 'text' }
  'cli.usage.missing_argument': { name: 'text' }
  'cli.usage.missing_option': { option: 'text' }
  'cli.usage.option_without_value': { option: 'text' }
  'cli.usage.too_many_arguments': { expected: 'number'; received: 'number'; given: 'text' }
  'cli.usage.unknown_command': { command: 'text' }
  'cli.usage.unknown_option': { option: 'text' }
  'cli.webhook.answered': { size: 'number'; status: 'text' }
  'cli.webhook.attempt': { id: 'text'; attempt: 'text' }
  'cli.webhook.attempts': { counts: 'text' }
  'cli.webhook.backlog': { endpoints: 'text'; count: 'text'; time: 'text' }
  'cli.webhook.failing': {}
  'cli.webhook.failing_since': { time: 'text' }
  'cli.webhook.failures': { count: 'number' }
  'cli.webhook.help': {}
  'cli.webhook.help_answer': {}
  'cli.webhook.help_listen': {}
  'cli.webhook.help_port': {}
  'cli.webhook.help_secret': {}
  'cli.webhook.help_status': {}
  'cli.webhook.invalid': { code: 'text'; reason: 'text' }
  'cli.webhook.late': { count: 'number'; page: 'text' }
  'cli.webhook.listening': { address: 'text' }
  'cli.webhook.more_failing': {}
  'cli.webhook.never_tried': {}
  'cli.webhook.no_attempts': {}
  'cli.webhook.no_event': {}
  'cli.webhook.no_id': {}
  'cli.webhook.no_secret': { option: 'text' }
  'cli.webhook.none_late': {}
  'cli.webhook.post_only': {}
  'cli.webhook.repeated': {}
  'cli.webhook.sequence': { sequence: 'text' }
  'cli.webhook.states': { counts: 'text' }
  'cli.webhook.step_allow': { setting: 'text' }
  'cli.webhook.step_compare_secret': {}
  'cli.webhook.step_save': { path: 'text'; address: 'text' }
  'cli.webhook.step_secret': { option: 'text' }
  'cli.webhook.step_test': {}
  'cli.webhook.to_send': { waiting: 'text'; sending: 'text'; held: 'text' }
  'cli.webhook.too_large': { size: 'text' }
  'cli.webhook.unverified': {}
  'cli.webhook.verified': {}
  'cli.worker.help': {}
  'cli.writer.account_taken': { email: 'text'; slug: 'text' }
  'cli.writer.added': { name: 'text'; address: 'text' }
  'cli.writer.bad_slug': { most: 'text' }
  'cli.writer.bad_website': {}
  'cli.writer.followers_not_stopped': { slug: 'text' }
  'cli.writer.followers_resumed': { slug: 'text' }
  'cli.writer.help': {}
  'cli.writer.help_add': {}
  'cli.writer.help_add_email': {}
  'cli.writer.help_invite': {}
  'cli.writer.help_list': {}
  'cli.writer.help_rename': {}
  'cli.writer.help_restore': {}
  'cli.writer.help_restore_reason': {}
  'cli.writer.help_resume_followers': {}
  'cli.writer.help_suspend': {}
  'cli.writer.help_suspend_reason': {}
  'cli.writer.help_verify': {}
  'cli.writer.help_verify_undo': {}
  'cli.writer.help_verify_website': {}
  'cli.writer.identity_verified': {}
  'cli.writer.linked': { email: 'text'; slug: 'text' }
  'cli.writer.linked_account': { email: 'text'; slug: 'text' }
  'cli.writer.no_account': { command: 'text' }
  'cli.writer.no_name': {}
  'cli.writer.no_ticks': {}
  'cli.writer.none': { command: 'text' }
  'cli.writer.pieces': { count: 'number' }
  'cli.writer.renamed': { slug: 'text'; newSlug: 'text' }
  'cli.writer.restored': { slug: 'text' }
  'cli.writer.slug_taken': { slug: 'text' }
  'cli.writer.suspended': { slug: 'text' }
  'cli.writer.unknown': { slug: 'text'; command: 'text' }
  'cli.writer.unverified': { proof: readonly ('other' | 'website')[]; slug: 'text' }
  'cli.writer.verified': { proof: readonly ('other' | 'website')[]; slug: 'text' }
  'cli.writer.website_verified': {}
  'desk.account.browser.on_system': { browser: 'text'; system: 'text' }
  'desk.account.browser.unknown': {}
  'desk.account.browser.unknown_on_system': { system: 'text' }
  'desk.account.delete.button': {}
  'desk.account.delete.confirm': { strong: 'tag'; name: 'text' }
  'desk.account.delete.confirm_title': {}
  'desk.account.delete.lead': {}
  'desk.account.delete.name': {}
  'desk.account.delete.submit': {}
  'desk.account.delete.title': {}
  'desk.account.email.about': {}
  'desk.account.email.cancel': { email: 'text' }
  'desk.account.email.cancelled': {}
  'desk.account.email.change': {}
  'desk.account.email.invalid': {}
  'desk.account.email.new': {}
  'desk.account.email.new_hint': {}
  'desk.account.email.pending': { at: 'text' }
  'desk.account.email.submit': {}
  'desk.account.email.undo': { email: 'text' }
  'desk.account.event.dead_key_used': { name: 'text'; key: 'text' }
  'desk.account.event.deletion_asked': {}
  'desk.account.event.deletion_cancelled': {}
  'desk.account.event.disabled': {}
  'desk.account.event.email_asked': { to: 'text' }
  'desk.account.event.email_cancelled': { to: 'text' }
  'desk.account.event.email_confirmed': { from: 'text'; to: 'text' }
  'desk.account.event.email_undone': { from: 'text'; to: 'text' }
  'desk.account.event.enabled': {}
  'desk.account.event.followers_exported': { count: 'number' }
  'desk.account.event.followers_imported': { count: 'number' }
  'desk.account.event.key_made': { name: 'text'; key: 'text' }
  'desk.account.event.key_revoked': { name: 'text'; key: 'text' }
  'desk.account.event.link_made': {}
  'desk.account.event.link_revoked': {}
  'desk.account.event.other': {}
  'desk.account.event.passkey_added': { name: 'text' }
  'desk.account.event.passkey_deleted': { name: 'text' }
  'desk.account.event.password_reset': {}
  'desk.account.event.password_set': {}
  'desk.account.event.recovery_codes_made': {}
  'desk.account.event.role_changed': { from: readonly ('moderator' | 'operator' | 'other' | 'writer')[]; to: readonly ('moderator' | 'operator' | 'other' | 'writer')[] }
  'desk.account.event.sessions_ended': { count: 'number' }
  'desk.account.event.sign_in_failed': {}
  'desk.account.event.signed_in': { by: readonly ('other' | 'passkey' | 'password' | 'recovery_code')[] }
  'desk.account.event.signed_up': {}
  'desk.account.export.button': {}
  'desk.account.export.interrupted': {}
  'desk.account.export.lead': {}
  'desk.account.export.progress': { share: 'number'; size: 'text' }
  'desk.account.export.saved': { name: 'text'; size: 'text' }
  'desk.account.export.title': {}
  'desk.account.history.download': {}
  'desk.account.history.lead': {}
  'desk.account.history.none': {}
  'desk.account.history.show_older': {}
  'desk.account.history.title': {}
  'desk.account.import.button': {}
  'desk.account.import.lead': {}
  'desk.account.import.title': {}
  'desk.account.language.hint': {}
  'desk.account.language.label': {}
  'desk.account.language.none': {}
  'desk.account.language.title': {}
  'desk.account.notifications.comments': {}
  'desk.account.notifications.comments_hint': {}
  'desk.account.notifications.comments_off': {}
  'desk.account.notifications.comments_on': {}
  'desk.account.notifications.drafts': {}
  'desk.account.notifications.drafts_hint': {}
  'desk.account.notifications.drafts_off': {}
  'desk.account.notifications.drafts_on': {}
  'desk.account.notifications.lead': {}
  'desk.account.notifications.title': {}
  'desk.account.passkeys.add': {}
  'desk.account.passkeys.added': {}
  'desk.account.passkeys.delete_confirm': { name: 'text' }
  'desk.account.passkeys.delete_one': { name: 'text' }
  'desk.account.passkeys.delete_title': {}
  'desk.account.passkeys.lead': {}
  'desk.account.passkeys.name': {}
  'desk.account.passkeys.name_hint': {}
  'desk.account.passkeys.rename': {}
  'desk.account.passkeys.rename_one': { name: 'text' }
  'desk.account.passkeys.rename_title': {}
  'desk.account.passkeys.title': {}
  'desk.account.password.change': {}
  'desk.account.password.changed': {}
  'desk.account.password.lead': {}
  'desk.account.password.none': {}
  'desk.account.password.set': {}
  'desk.account.recovery.keep': {}
  'desk.account.recovery.lead': {}
  'desk.account.recovery.left': { left: 'number'; at: 'text' }
  'desk.account.recovery.make': {}
  'desk.account.recovery.make_new': {}
  'desk.account.recovery.print': {}
  'desk.account.recovery.shown_once': {}
  'desk.account.recovery.title': {}
  'desk.account.sessions.end_one': { browser: 'text' }
  'desk.account.sessions.end_others': {}
  'desk.account.sessions.ended': { browser: 'text' }
  'desk.account.sessions.last_seen': { at: 'text' }
  'desk.account.sessions.lead': {}
  'desk.account.sessions.others_ended': {}
  'desk.account.sessions.signed_in': { at: 'text' }
  'desk.account.sessions.this': {}
  'desk.account.sessions.title': {}
  'desk.account.sign_out': {}
  'desk.comments.act.accept': {}
  'desk.comments.act.dismiss': {}
  'desk.comments.act.reopen': {}
  'desk.comments.act.reply': {}
  'desk.comments.act.resolve': {}
  'desk.comments.by.co_author': {}
  'desk.comments.by.guest': {}
  'desk.comments.by.moderator': {}
  'desk.comments.by.writer': {}
  'desk.comments.by.you': {}
  'desk.comments.delete.about': {}
  'desk.comments.delete.question': {}
  'desk.comments.done.accepted': {}
  'desk.comments.done.added': {}
  'desk.comments.empty.open': {}
  'desk.comments.empty.open_next': {}
  'desk.comments.empty.resolved': {}
  'desk.comments.filter': {}
  'desk.comments.filter.open': { count: 'number' }
  'desk.comments.filter.resolved': { count: 'number' }
  'desk.comments.new.add': {}
  'desk.comments.new.comment': {}
  'desk.comments.new.empty': {}
  'desk.comments.new.replacement': {}
  'desk.comments.new.reply': {}
  'desk.comments.new.send_reply': {}
  'desk.comments.new.suggest': {}
  'desk.comments.new.title': {}
  'desk.comments.new.whole': {}
  'desk.comments.passage.removed': {}
  'desk.comments.passage.show': { quote: 'text' }
  'desk.comments.passage.whole': {}
  'desk.comments.reading.empty.co_author': {}
  'desk.comments.reading.empty.moderator': {}
  'desk.comments.reading.lead.co_author': {}
  'desk.comments.reading.lead.moderator': {}
  'desk.comments.reading.quote': {}
  'desk.comments.reading.quote_hint': {}
  'desk.comments.reading.quote_unknown': {}
  'desk.comments.state.accepted': {}
  'desk.comments.state.dismissed': {}
  'desk.comments.state.resolved': {}
  'desk.comments.suggestion': {}
  'desk.comments.suggestion.delete': {}
  'desk.comments.title': {}
  'desk.common.cancel': {}
  'desk.common.category.building': {}
  'desk.common.category.civic': {}
  'desk.common.category.culture': {}
  'desk.common.category.ideas': {}
  'desk.common.category.leading': {}
  'desk.common.category.life': {}
  'desk.common.category.money': {}
  'desk.common.category.society': {}
  'desk.common.change': {}
  'desk.common.close': {}
  'desk.common.confirm': {}
  'desk.common.conflict.keep_this': {}
  'desk.common.conflict.use_other': {}
  'desk.common.copied': {}
  'desk.common.copy': {}
  'desk.common.copy_failed': {}
  'desk.common.copy_link': {}
  'desk.common.cover.alt_hint': {}
  'desk.common.cover.caption': {}
  'desk.common.cover.choose': {}
  'desk.common.cover.credit': {}
  'desk.common.cover.credit_hint': {}
  'desk.common.cover.cropped': {}
  'desk.common.cover.drawn': {}
  'desk.common.cover.file': {}
  'desk.common.cover.focus': {}
  'desk.common.cover.focus_hint': {}
  'desk.common.cover.focus_value': { x: 'number'; y: 'number' }
  'desk.common.cover.from_text': {}
  'desk.common.cover.remove': {}
  'desk.common.cover.replace': {}
  'desk.common.cover.title': {}
  'desk.common.cover.undo': {}
  'desk.common.cover.use': { alt: readonly ('none' | 'other')[]; number: 'number' }
  'desk.common.decision.after_report': {}
  'desk.common.decision.appeal': { at: 'text' }
  'desk.common.decision.decision': {}
  'desk.common.decision.facts': {}
  'desk.common.decision.origin': {}
  'desk.common.decision.read': {}
  'desk.common.decision.read_or_appeal': {}
  'desk.common.decision.reason': {}
  'desk.common.decision.reject': { at: 'text' }
  'desk.common.decision.reversed': { at: 'text' }
  'desk.common.decision.take_down': { at: 'text' }
  'desk.common.decision.upheld': { at: 'text' }
  'desk.common.decision.withhold': { at: 'text' }
  'desk.common.decision.without_report': {}
  'desk.common.delete': {}
  'desk.common.deletion.keep': {}
  'desk.common.deletion.kept': {}
  'desk.common.deletion.notice': { at: 'text' }
  'desk.common.diff.added': {}
  'desk.common.diff.changed': {}
  'desk.common.diff.removed': {}
  'desk.common.diff.same': {}
  'desk.common.diff.unchanged': { count: 'number' }
  'desk.common.document_title': { site: 'text' }
  'desk.common.done': {}
  'desk.common.edit': {}
  'desk.common.email_address': {}
  'desk.common.error.status': { status: 'text' }
  'desk.common.error.unexpected': {}
  'desk.common.error.unreachable': {}
  'desk.common.field.left': { count: 'number' }
  'desk.common.field.too_long_by': { count: 'number' }
  'desk.common.find.add': {}
  'desk.common.find.add_one': { name: 'text' }
  'desk.common.find.full': {}
  'desk.common.find.label': {}
  'desk.common.find.remove_one': { name: 'text' }
  'desk.common.find.results': {}
  'desk.common.go_to_pieces': {}
  'desk.common.history': {}
  'desk.common.listing.changed': {}
  'desk.common.listing.draft': {}
  'desk.common.listing.listed': {}
  'desk.common.listing.withheld': {}
  'desk.common.loading': {}
  'desk.common.nav.account': {}
  'desk.common.nav.co_authors': {}
  'desk.common.nav.followers': {}
  'desk.common.nav.front_page': {}
  'desk.common.nav.integrations': {}
  'desk.common.nav.label': {}
  'desk.common.nav.pieces': {}
  'desk.common.nav.profile': {}
  'desk.common.nav.review': {}
  'desk.common.nav.shop': {}
  'desk.common.nav.stats': {}
  'desk.common.nav.translations': {}
  'desk.common.needs_javascript': {}
  'desk.common.new_password': {}
  'desk.common.not_built': {}
  'desk.common.not_found.lead': {}
  'desk.common.not_found.title': {}
  'desk.common.offline': {}
  'desk.common.ok': {}
  'desk.common.order.drag': {}
  'desk.common.order.move_down': { name: 'text' }
  'desk.common.order.move_up': { name: 'text' }
  'desk.common.order.moved': { name: 'text'; place: 'number'; count: 'number' }
  'desk.common.page_failed': {}
  'desk.common.passkey.exists': {}
  'desk.common.passkey.failed': {}
  'desk.common.passkey.not_allowed': {}
  'desk.common.passkey.wrong_address': {}
  'desk.common.password': {}
  'desk.common.password_hint': {}
  'desk.common.picture.alt_text': {}
  'desk.common.picture.failed': {}
  'desk.common.picture.processing': {}
  'desk.common.picture.signed_out': {}
  'desk.common.picture.too_large': {}
  'desk.common.picture.unreachable': {}
  'desk.common.picture.uploading_share': { file: 'text'; share: 'number' }
  'desk.common.picture.wrong_type': {}
  'desk.common.piece.category': {}
  'desk.common.piece.category_choose': {}
  'desk.common.piece.headline': {}
  'desk.common.piece.standfirst': {}
  'desk.common.piece.tags': {}
  'desk.common.problem.breached': {}
  'desk.common.problem.contains_tick': {}
  'desk.common.problem.control_character': {}
  'desk.common.problem.guessable': {}
  'desk.common.problem.malformed': {}
  'desk.common.problem.missing': {}
  'desk.common.problem.not_a_number': {}
  'desk.common.problem.not_an_address': {}
  'desk.common.problem.out_of_range': {}
  'desk.common.problem.render_too_large': {}
  'desk.common.problem.too_long': { limit: 'number' }
  'desk.common.problem.too_many': { limit: 'number' }
  'desk.common.problem.too_short': { limit: 'number' }
  'desk.common.problem.unexpected': {}
  'desk.common.problem.unknown_value': {}
  'desk.common.reauth.again_title': {}
  'desk.common.reauth.again_why': {}
  'desk.common.reauth.passkey_title': {}
  'desk.common.reauth.passkey_unsupported': {}
  'desk.common.reauth.passkey_why': {}
  'desk.common.reauth.password_for': { email: 'text' }
  'desk.common.reauth.signed_out_title': {}
  'desk.common.reauth.signed_out_why': {}
  'desk.common.reload': {}
  'desk.common.remove': {}
  'desk.common.save': {}
  'desk.common.schedule.again': {}
  'desk.common.schedule.dismiss': {}
  'desk.common.schedule.for': { at: 'text' }
  'desk.common.schedule.next': {}
  'desk.common.schedule.reason': { reason: readonly ('account' | 'address' | 'deleted' | 'limit' | 'original' | 'other' | 'review' | 'suspended')[] }
  'desk.common.schedule.void': {}
  'desk.common.schedule.void_at': { at: 'text' }
  'desk.common.series': {}
  'desk.common.shortcuts.hint': { key: 'tag' }
  'desk.common.shortcuts.show_list': {}
  'desk.common.shortcuts.title': {}
  'desk.common.show_password': {}
  'desk.common.sign_in': {}
  'desk.common.skip_to_content': {}
  'desk.common.status.approved': {}
  'desk.common.status.changes_requested': {}
  'desk.common.status.draft': {}
  'desk.common.status.pending': {}
  'desk.common.status.rejected': {}
  'desk.common.status.taken_down': {}
  'desk.common.suspended': { strong: 'tag'; link: 'tag'; reason: 'text' }
  'desk.common.tag_suggestions': {}
  'desk.common.tag_too_long': { limit: 'number' }
  'desk.common.tags_added': {}
  'desk.common.tags_full': { limit: 'number' }
  'desk.common.tags_hint': { limit: 'number' }
  'desk.common.tags_remove': { tag: 'text' }
  'desk.common.tags_too_many': { limit: 'number' }
  'desk.common.time.added_and_used': { added: 'text'; used: 'text' }
  'desk.common.time.added_never_used': { added: 'text' }
  'desk.common.time.in_a_moment': {}
  'desk.common.time.just_now': {}
  'desk.common.today': {}
  'desk.common.translation.agreed': { author: 'text' }
  'desk.common.translation.ask': { author: 'text' }
  'desk.common.translation.asked': { author: 'text' }
  'desk.common.translation.by': { link: 'tag'; title: 'text'; author: 'text' }
  'desk.common.translation.declined': { author: 'text' }
  'desk.common.translation.not_asked': { author: 'text' }
  'desk.common.translation.not_public': {}
  'desk.common.translation.of': {}
  'desk.common.translation.own': {}
  'desk.common.try_again': {}
  'desk.common.undo': {}
  'desk.common.unsaved.about': {}
  'desk.common.unsaved.leave': {}
  'desk.common.unsaved.save_and_leave': {}
  'desk.common.unsaved.title': {}
  'desk.common.use_passkey': {}
  'desk.decision.appeal': {}
  'desk.decision.appeal_hint': {}
  'desk.decision.appeal_label': {}
  'desk.decision.appeal_lead': { until: 'date' }
  'desk.decision.appeal_sent': {}
  'desk.decision.appeal_submit': {}
  'desk.decision.back_to_listing': {}
  'desk.decision.back_to_piece': {}
  'desk.decision.expired': { until: 'date' }
  'desk.decision.pending': {}
  'desk.decision.title': {}
  'desk.decision.upheld': {}
  'desk.editor.act.bold': {}
  'desk.editor.act.checklist': {}
  'desk.editor.act.code': {}
  'desk.editor.act.comment': {}
  'desk.editor.act.divider': {}
  'desk.editor.act.find': {}
  'desk.editor.act.footnote': {}
  'desk.editor.act.heading': {}
  'desk.editor.act.image': {}
  'desk.editor.act.italic': {}
  'desk.editor.act.link': {}
  'desk.editor.act.list': {}
  'desk.editor.act.numbered_list': {}
  'desk.editor.act.quote': {}
  'desk.editor.act.redo': {}
  'desk.editor.act.subheading': {}
  'desk.editor.act.table': {}
  'desk.editor.act.undo': {}
  'desk.editor.action.comments': { count: 'number' }
  'desk.editor.action.details': {}
  'desk.editor.action.preview': {}
  'desk.editor.action.publish': {}
  'desk.editor.action.resubmit': {}
  'desk.editor.action.submit': {}
  'desk.editor.action.update': {}
  'desk.editor.co_authors.find': {}
  'desk.editor.co_authors.full': {}
  'desk.editor.co_authors.hint': {}
  'desk.editor.co_authors.invite': {}
  'desk.editor.co_authors.invite_one': { name: 'text' }
  'desk.editor.co_authors.invited': { name: 'text' }
  'desk.editor.co_authors.label': {}
  'desk.editor.co_authors.none_found': { query: 'text' }
  'desk.editor.co_authors.not_saved': {}
  'desk.editor.co_authors.remove_about': {}
  'desk.editor.co_authors.remove_title': { name: 'text' }
  'desk.editor.co_authors.status': { answer: readonly ('agreed' | 'declined' | 'other' | 'withdrawn')[] }
  'desk.editor.co_authors.without_text': {}
  'desk.editor.comment_unsaved': {}
  'desk.editor.conflict.diff': {}
  'desk.editor.conflict.keep_both': {}
  'desk.editor.conflict.kept_both': {}
  'desk.editor.conflict.kept_this': {}
  'desk.editor.conflict.lead': {}
  'desk.editor.conflict.title': {}
  'desk.editor.conflict.used_other': {}
  'desk.editor.details.angle': {}
  'desk.editor.details.angle_before_after': {}
  'desk.editor.details.angle_contrarian': {}
  'desk.editor.details.angle_lesson': {}
  'desk.editor.details.angle_none': {}
  'desk.editor.details.angle_origin': {}
  'desk.editor.details.format': {}
  'desk.editor.details.format_hint': {}
  'desk.editor.details.language': {}
  'desk.editor.details.language_hint': {}
  'desk.editor.details.original_url': {}
  'desk.editor.details.original_url_dropped': { address: 'text' }
  'desk.editor.details.original_url_hint': {}
  'desk.editor.details.original_url_invalid': {}
  'desk.editor.details.title': {}
  'desk.editor.find.by_word': {}
  'desk.editor.find.current_match': {}
  'desk.editor.find.find': {}
  'desk.editor.find.match_case': {}
  'desk.editor.find.next': {}
  'desk.editor.find.on_line': {}
  'desk.editor.find.place': { place: 'number'; total: 'number' }
  'desk.editor.find.previous': {}
  'desk.editor.find.replace': {}
  'desk.editor.find.replace_all': {}
  'desk.editor.find.replace_with': {}
  'desk.editor.find.replaced_matches': {}
  'desk.editor.find.replaced_on_line': {}
  'desk.editor.find.total': { total: 'number' }
  'desk.editor.focus.enter': {}
  'desk.editor.focus.leave': {}
  'desk.editor.goal.about': {}
  'desk.editor.goal.change': {}
  'desk.editor.goal.field': {}
  'desk.editor.goal.problem': { most: 'number' }
  'desk.editor.goal.progress': { words: 'number'; goal: 'number' }
  'desk.editor.goal.reached': {}
  'desk.editor.goal.remove': {}
  'desk.editor.goal.set': {}
  'desk.editor.goal.title': {}
  'desk.editor.image.alt_text_hint': {}
  'desk.editor.image.alt_text_missing': {}
  'desk.editor.image.broken': {}
  'desk.editor.image.caption': {}
  'desk.editor.image.caption_hint': {}
  'desk.editor.image.card': { file: 'text' }
  'desk.editor.image.decorative': {}
  'desk.editor.image.discard': {}
  'desk.editor.image.edit_as_text': {}
  'desk.editor.image.insert': {}
  'desk.editor.image.insert_when_uploaded': {}
  'desk.editor.image.leave': {}
  'desk.editor.image.move_down': {}
  'desk.editor.image.move_up': {}
  'desk.editor.image.needs_text': {}
  'desk.editor.image.not_added': { file: 'text'; problem: 'text' }
  'desk.editor.image.not_inserted': {}
  'desk.editor.image.not_inserted_title': {}
  'desk.editor.image.publish': {}
  'desk.editor.image.replace': {}
  'desk.editor.image.saving_piece': {}
  'desk.editor.image.selected': {}
  'desk.editor.image.uploaded': {}
  'desk.editor.image.uploading': { file: 'text' }
  'desk.editor.image.width': {}
  'desk.editor.image.width_full': {}
  'desk.editor.image.width_text': {}
  'desk.editor.image.width_wide': {}
  'desk.editor.key.deleted_key_drafted': {}
  'desk.editor.key.deleted_key_edited': {}
  'desk.editor.key.deleted_key_wrote': { revision: 'number' }
  'desk.editor.key.drafted': { key: 'text' }
  'desk.editor.key.edited': { key: 'text' }
  'desk.editor.key.its_changes': {}
  'desk.editor.key.wrote': { revision: 'number'; key: 'text' }
  'desk.editor.key.your_changes': {}
  'desk.editor.length.left': { count: 'number' }
  'desk.editor.length.minutes': { count: 'number' }
  'desk.editor.length.over': { count: 'number' }
  'desk.editor.length.words': { count: 'number' }
  'desk.editor.merged': {}
  'desk.editor.new_piece': {}
  'desk.editor.note.hint': {}
  'desk.editor.note.remove': {}
  'desk.editor.note.text': { label: 'text' }
  'desk.editor.notice.deleted': {}
  'desk.editor.notice.deleted_new_tab': {}
  'desk.editor.notice.deleted_not_saved': {}
  'desk.editor.notice.deleted_recreate': {}
  'desk.editor.notice.edit_here': {}
  'desk.editor.notice.in_review': {}
  'desk.editor.notice.in_review_withdraw': {}
  'desk.editor.notice.moderator_rejected': {}
  'desk.editor.notice.moderator_requested_changes': {}
  'desk.editor.notice.moderator_took_down': {}
  'desk.editor.notice.other_tab': {}
  'desk.editor.notice.other_tab_not_saved': {}
  'desk.editor.notice.other_tab_unsafe': {}
  'desk.editor.notice.rejected': {}
  'desk.editor.notice.rejected_reopen': {}
  'desk.editor.notice.restored': { when: 'text' }
  'desk.editor.notice.restored_as_new': { when: 'text' }
  'desk.editor.notice.restored_history': {}
  'desk.editor.notice.unsent': { name: 'text'; when: 'text' }
  'desk.editor.notice.unsent_continue': {}
  'desk.editor.notice.unsent_discard': {}
  'desk.editor.notice.unsent_discarded': { name: 'text' }
  'desk.editor.outline.empty': {}
  'desk.editor.outline.empty_next': {}
  'desk.editor.outline.title': {}
  'desk.editor.publish_not_saved': {}
  'desk.editor.publish_without_text': {}
  'desk.editor.remote_pictures.copied': { count: 'number' }
  'desk.editor.remote_pictures.copy': {}
  'desk.editor.remote_pictures.dismiss': {}
  'desk.editor.remote_pictures.failed': { count: 'number' }
  'desk.editor.remote_pictures.found': { count: 'number' }
  'desk.editor.save.changes_unpublished': {}
  'desk.editor.save.conflict': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.conflict_resolve': {}
  'desk.editor.save.deleted': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.empty': {}
  'desk.editor.save.needs_text': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.offline': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.read_only': {}
  'desk.editor.save.refused': { reason: 'text' }
  'desk.editor.save.saved': {}
  'desk.editor.save.saving': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.signed_out': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.save.too_long_body_md': { count: 'number' }
  'desk.editor.save.too_long_headline': { count: 'number' }
  'desk.editor.save.too_long_sub': { count: 'number' }
  'desk.editor.save.unreachable': { kept: readonly ('other' | 'yes')[] }
  'desk.editor.scheduled': {}
  'desk.editor.selection_deleted': {}
  'desk.editor.shortcut.cell': {}
  'desk.editor.shortcut.find': {}
  'desk.editor.shortcut.leave': {}
  'desk.editor.shortcut.leave_keys': {}
  'desk.editor.shortcut.line_break': {}
  'desk.editor.shortcut.move_picture': {}
  'desk.editor.shortcut.paste_plain': {}
  'desk.editor.shortcut.publish': {}
  'desk.editor.shortcut.save': {}
  'desk.editor.shortcut.slash': {}
  'desk.editor.shortcut.toolbar': {}
  'desk.editor.signs.show': {}
  'desk.editor.slash.label': {}
  'desk.editor.standfirst_hint': {}
  'desk.editor.table.align_center': {}
  'desk.editor.table.align_left': {}
  'desk.editor.table.align_right': {}
  'desk.editor.table.as_text': {}
  'desk.editor.table.column_left': {}
  'desk.editor.table.column_move_left': {}
  'desk.editor.table.column_move_right': {}
  'desk.editor.table.column_remove': {}
  'desk.editor.table.column_right': {}
  'desk.editor.table.heading_cell': { column: 'number' }
  'desk.editor.table.place': { row: 'number'; column: 'number' }
  'desk.editor.table.remove': {}
  'desk.editor.table.row_above': {}
  'desk.editor.table.row_below': {}
  'desk.editor.table.row_down': {}
  'desk.editor.table.row_remove': {}
  'desk.editor.table.row_up': {}
  'desk.editor.table.selected': { count: 'number' }
  'desk.editor.text': {}
  'desk.editor.text_hint': {}
  'desk.editor.toolbar.label': {}
  'desk.editor.toolbar.link_address': {}
  'desk.editor.toolbar.link_apply': {}
  'desk.editor.toolbar.link_impossible': {}
  'desk.editor.toolbar.link_invalid': {}
  'desk.editor.toolbar.link_remove': {}
  'desk.editor.translation.dropped': { address: 'text' }
  'desk.editor.translation.hint': {}
  'desk.editor.translation.itself': {}
  'desk.editor.translation.not_saved': {}
  'desk.editor.translation.remove': {}
  'desk.editor.translation.without_text': {}
  'desk.editor.unavailable.gone': {}
  'desk.editor.unavailable.gone_next': {}
  'desk.editor.unavailable.gone_title': {}
  'desk.editor.unavailable.no_writer': {}
  'desk.editor.unavailable.no_writer_next': {}
  'desk.editor.unavailable.no_writer_title': {}
  'desk.editor.unavailable.signed_out': {}
  'desk.editor.unavailable.signed_out_next': {}
  'desk.editor.unavailable.signed_out_title': {}
  'desk.editor.unavailable.unreachable': {}
  'desk.editor.unavailable.unreachable_next': {}
  'desk.editor.unavailable.unreachable_title': {}
  'desk.editor.untitled': {}
  'desk.editor.view': {}
  'desk.first-steps.bio': {}
  'desk.first-steps.bio_hint': {}
  'desk.first-steps.continue_writing': {}
  'desk.first-steps.copy_link': {}
  'desk.first-steps.embed': {}
  'desk.first-steps.introduce': {}
  'desk.first-steps.lead': {}
  'desk.first-steps.name': {}
  'desk.first-steps.name_missing': {}
  'desk.first-steps.preview_and_publish': {}
  'desk.first-steps.progress': { done: 'number' }
  'desk.first-steps.publish': {}
  'desk.first-steps.publish_about': {}
  'desk.first-steps.published': {}
  'desk.first-steps.skip': {}
  'desk.first-steps.start_writing': {}
  'desk.first-steps.step_done': {}
  'desk.first-steps.title': { name: 'text' }
  'desk.first-steps.title_loading': {}
  'desk.first-steps.write': {}
  'desk.first-steps.write_about': {}
  'desk.followers.change': { gained: 'number'; lost: 'number' }
  'desk.followers.chart': { first: 'number'; last: 'number' }
  'desk.followers.empty': {}
  'desk.followers.empty_text': {}
  'desk.followers.fediverse': {}
  'desk.followers.fediverse_count': { count: 'number' }
  'desk.followers.fediverse_hint': {}
  'desk.followers.fediverse_is_off': {}
  'desk.followers.fediverse_is_on': {}
  'desk.followers.fediverse_lead': {}
  'desk.followers.fediverse_switch': {}
  'desk.followers.import': {}
  'desk.followers.import_agree': {}
  'desk.followers.import_asked_limit': { limit: 'number' }
  'desk.followers.import_choose': {}
  'desk.followers.import_count.added': {}
  'desk.followers.import_count.asked': {}
  'desk.followers.import_count.ended': {}
  'desk.followers.import_count.known': {}
  'desk.followers.import_count.malformed': {}
  'desk.followers.import_count.over_limit': {}
  'desk.followers.import_count.repeated': {}
  'desk.followers.import_done': { at: 'date' }
  'desk.followers.import_file': {}
  'desk.followers.import_lead': {}
  'desk.followers.import_note': {}
  'desk.followers.import_nothing': {}
  'desk.followers.import_preview': { name: 'text' }
  'desk.followers.import_running': { done: 'number'; total: 'number' }
  'desk.followers.import_statement': {}
  'desk.followers.import_stopped': {}
  'desk.followers.lead': {}
  'desk.followers.list': {}
  'desk.followers.list_download': {}
  'desk.followers.list_lead': {}
  'desk.followers.list_saved': { name: 'text' }
  'desk.followers.profile': {}
  'desk.followers.total': { count: 'number'; number: 'tag' }
  'desk.followers.welcome': {}
  'desk.followers.welcome_hint': {}
  'desk.followers.welcome_lead': {}
  'desk.followers.welcome_removed': {}
  'desk.followers.welcome_saved': {}
  'desk.followers.welcome_text': {}
  'desk.front-page.all_pinned': {}
  'desk.front-page.find': {}
  'desk.front-page.find_hint': {}
  'desk.front-page.full': { count: 'number' }
  'desk.front-page.last_save': { name: 'text'; time: 'text' }
  'desk.front-page.lead': {}
  'desk.front-page.never_saved': {}
  'desk.front-page.newer': { name: 'text' }
  'desk.front-page.no_results': { query: 'text' }
  'desk.front-page.none': {}
  'desk.front-page.note': {}
  'desk.front-page.note_about': {}
  'desk.front-page.note_text': {}
  'desk.front-page.pin': {}
  'desk.front-page.pin_one': { title: 'text' }
  'desk.front-page.pins': {}
  'desk.front-page.pins_about': {}
  'desk.front-page.place.beside': {}
  'desk.front-page.place.lead': {}
  'desk.front-page.place.row': {}
  'desk.front-page.preview': {}
  'desk.front-page.preview_about': {}
  'desk.front-page.results': {}
  'desk.front-page.saved': {}
  'desk.front-page.saved_without': { count: 'number' }
  'desk.front-page.someone': {}
  'desk.front-page.title': {}
  'desk.front-page.unpin': {}
  'desk.front-page.unpin_one': { title: 'text' }
  'desk.front-page.unsaved': {}
  'desk.front-page.until': {}
  'desk.front-page.until_of': { title: 'text' }
  'desk.history.author.deleted_key': {}
  'desk.history.author.key': { key: 'text' }
  'desk.history.author.you': {}
  'desk.history.back': {}
  'desk.history.changes.body_same': {}
  'desk.history.changes.by_deleted_key': {}
  'desk.history.changes.by_key': { key: 'text' }
  'desk.history.changes.by_you': {}
  'desk.history.changes.compare': {}
  'desk.history.changes.compare_nothing': {}
  'desk.history.changes.compare_option': { revision: 'number'; author: 'text' }
  'desk.history.changes.first': { revision: 'number' }
  'desk.history.changes.only_details': {}
  'desk.history.changes.show_since_deleted_key': {}
  'desk.history.changes.show_since_key': { key: 'text' }
  'desk.history.changes.since_deleted_key': {}
  'desk.history.changes.since_key': { key: 'text' }
  'desk.history.changes.title': { before: 'number'; revision: 'number' }
  'desk.history.empty': {}
  'desk.history.empty_title': {}
  'desk.history.event.appeal': {}
  'desk.history.event.approve': {}
  'desk.history.event.delete': { who: readonly ('key' | 'other' | 'you')[]; key: 'text' }
  'desk.history.event.publish': {}
  'desk.history.event.reinstate': {}
  'desk.history.event.reject': {}
  'desk.history.event.request_changes': {}
  'desk.history.event.restore': {}
  'desk.history.event.resubmit': {}
  'desk.history.event.revise': {}
  'desk.history.event.schedule': {}
  'desk.history.event.submit': {}
  'desk.history.event.take_down': {}
  'desk.history.event.unpublish': {}
  'desk.history.event.unschedule': {}
  'desk.history.event.update': {}
  'desk.history.event.uphold': {}
  'desk.history.event.withdraw': {}
  'desk.history.name.add': {}
  'desk.history.name.change': {}
  'desk.history.name.hint': {}
  'desk.history.name.label': {}
  'desk.history.name.removed': {}
  'desk.history.name.saved': {}
  'desk.history.restore': {}
  'desk.history.restore_hint': {}
  'desk.history.restored': { revision: 'number' }
  'desk.history.saves': { count: 'number' }
  'desk.history.version': { revision: 'number' }
  'desk.history.versions': {}
  'desk.history.versions_range': { first: 'number'; last: 'number' }
  'desk.import.as_drafts': {}
  'desk.import.batch.all': {}
  'desk.import.batch.allowance': { count: 'number' }
  'desk.import.batch.choose': {}
  'desk.import.batch.clear': {}
  'desk.import.batch.confirm': { count: 'number' }
  'desk.import.batch.confirm_about': {}
  'desk.import.batch.done': {}
  'desk.import.batch.feeds': {}
  'desk.import.batch.import': {}
  'desk.import.batch.lead': {}
  'desk.import.batch.may_leave': {}
  'desk.import.batch.more': { shown: 'text'; total: 'text' }
  'desk.import.batch.none': {}
  'desk.import.batch.none_lead': {}
  'desk.import.batch.not_done': {}
  'desk.import.batch.notes': { count: 'number' }
  'desk.import.batch.others': { count: 'number' }
  'desk.import.batch.others_lead': {}
  'desk.import.batch.problem': { problem: readonly ('changed' | 'date' | 'headline' | 'other' | 'published' | 'review' | 'translation')[] }
  'desk.import.batch.progress': { done: 'text'; total: 'text' }
  'desk.import.batch.publish': { count: 'number' }
  'desk.import.batch.publish_rest': { count: 'number' }
  'desk.import.batch.published': { count: 'number' }
  'desk.import.batch.publishing': {}
  'desk.import.batch.ready': { count: 'number' }
  'desk.import.batch.rest': { count: 'number' }
  'desk.import.batch.section': {}
  'desk.import.batch.section_hint': {}
  'desk.import.batch.section_keep': {}
  'desk.import.batch.see': {}
  'desk.import.batch.title': {}
  'desk.import.batch.too_many': { count: 'number' }
  'desk.import.batch.unfinished': { count: 'number' }
  'desk.import.batch.webhook': { count: 'number'; host: 'text' }
  'desk.import.choose': {}
  'desk.import.choose_file': {}
  'desk.import.choose_lead': {}
  'desk.import.continue': {}
  'desk.import.copy': { count: 'number' }
  'desk.import.copy_hint': {}
  'desk.import.deleted': { count: 'number' }
  'desk.import.done': {}
  'desk.import.drop': {}
  'desk.import.failed': { count: 'number' }
  'desk.import.found': { count: 'number'; service: 'text' }
  'desk.import.found_dates': { first: 'date'; last: 'date' }
  'desk.import.found_text': { published: 'number'; drafts: 'number' }
  'desk.import.from.devto': {}
  'desk.import.from.ghost': {}
  'desk.import.from.markdown': {}
  'desk.import.from.medium': {}
  'desk.import.from.substack': {}
  'desk.import.from.wordpress': {}
  'desk.import.importing': {}
  'desk.import.language': {}
  'desk.import.language_hint': {}
  'desk.import.lead': {}
  'desk.import.made': { made: 'number'; existing: 'number' }
  'desk.import.no_text': {}
  'desk.import.not_done': {}
  'desk.import.other_file': {}
  'desk.import.progress': { done: 'number'; total: 'number' }
  'desk.import.publish': {}
  'desk.import.reading': {}
  'desk.import.report': {}
  'desk.import.report_lead': {}
  'desk.import.report_more': { count: 'number' }
  'desk.import.report_posts': { count: 'number' }
  'desk.import.report_save': {}
  'desk.import.rest': { count: 'number' }
  'desk.import.see': {}
  'desk.import.site': {}
  'desk.import.site_apply': {}
  'desk.import.site_hint': {}
  'desk.import.start': { count: 'number' }
  'desk.import.stop': {}
  'desk.import.title': {}
  'desk.import.too_long': { most: 'number' }
  'desk.integrations.ai.about': {}
  'desk.integrations.ai.ask': {}
  'desk.integrations.ai.copy': {}
  'desk.integrations.ai.more': { link: 'tag' }
  'desk.integrations.ai.not_yet': {}
  'desk.integrations.ai.server': {}
  'desk.integrations.ai.try': {}
  'desk.integrations.embeds.frame': {}
  'desk.integrations.embeds.image': {}
  'desk.integrations.embeds.kind.badge': {}
  'desk.integrations.embeds.kind.bio': {}
  'desk.integrations.embeds.kind.card': {}
  'desk.integrations.embeds.kind.list': {}
  'desk.integrations.embeds.more': { link: 'tag' }
  'desk.integrations.embeds.not_yet': {}
  'desk.integrations.embeds.preview': { kind: 'text' }
  'desk.integrations.embeds.script': {}
  'desk.integrations.embeds.shows.badge': {}
  'desk.integrations.embeds.shows.bio': {}
  'desk.integrations.embeds.shows.card': {}
  'desk.integrations.embeds.shows.list': {}
  'desk.integrations.embeds.theme': {}
  'desk.integrations.embeds.theme.auto': {}
  'desk.integrations.embeds.theme.dark': {}
  'desk.integrations.embeds.theme.light': {}
  'desk.integrations.embeds.widget': {}
  'desk.integrations.feeds.copy': { feed: 'text' }
  'desk.integrations.feeds.not_yet': {}
  'desk.integrations.keys.active': {}
  'desk.integrations.keys.copy': {}
  'desk.integrations.keys.create': {}
  'desk.integrations.keys.created_at': { time: 'text' }
  'desk.integrations.keys.expired_at': { time: 'text' }
  'desk.integrations.keys.expires': {}
  'desk.integrations.keys.expires_at': { time: 'text' }
  'desk.integrations.keys.expires_in': { days: 'number' }
  'desk.integrations.keys.expires_in_a_year': {}
  'desk.integrations.keys.expires_never': {}
  'desk.integrations.keys.inactive': { count: 'number' }
  'desk.integrations.keys.last_used_at': { time: 'text' }
  'desk.integrations.keys.name': {}
  'desk.integrations.keys.name_example': {}
  'desk.integrations.keys.name_hint': {}
  'desk.integrations.keys.never_expires': {}
  'desk.integrations.keys.never_used': {}
  'desk.integrations.keys.new_about': {}
  'desk.integrations.keys.new_title': {}
  'desk.integrations.keys.own_drafts': {}
  'desk.integrations.keys.permissions': {}
  'desk.integrations.keys.permissions_hint': {}
  'desk.integrations.keys.revoke': {}
  'desk.integrations.keys.revoke_about': {}
  'desk.integrations.keys.revoke_confirm': {}
  'desk.integrations.keys.revoke_one': { name: 'text' }
  'desk.integrations.keys.revoke_title': { name: 'text' }
  'desk.integrations.keys.revoked': { name: 'text' }
  'desk.integrations.keys.revoked_at': { time: 'text' }
  'desk.integrations.keys.scope.delete': {}
  'desk.integrations.keys.scope.edit': {}
  'desk.integrations.keys.scope.read': {}
  'desk.integrations.keys.scope_hint.delete': {}
  'desk.integrations.keys.scope_hint.edit': {}
  'desk.integrations.keys.scope_hint.read': {}
  'desk.integrations.keys.try': {}
  'desk.integrations.lead.ai_clients': {}
  'desk.integrations.lead.api_keys': {}
  'desk.integrations.lead.embeds': {}
  'desk.integrations.lead.feeds': {}
  'desk.integrations.lead.social_links': {}
  'desk.integrations.lead.webhook': {}
  'desk.integrations.lead.website': {}
  'desk.integrations.on_this_page': {}
  'desk.integrations.section.ai_clients': {}
  'desk.integrations.section.api_keys': {}
  'desk.integrations.section.embeds': {}
  'desk.integrations.section.feeds': {}
  'desk.integrations.section.social_links': {}
  'desk.integrations.section.webhook': {}
  'desk.integrations.section.website': {}
  'desk.integrations.social.newsletter': {}
  'desk.integrations.social.saved': {}
  'desk.integrations.title': {}
  'desk.integrations.webhook.about.disabled': {}
  'desk.integrations.webhook.about.failing': { count: 'number' }
  'desk.integrations.webhook.about.gone': {}
  'desk.integrations.webhook.about.live': {}
  'desk.integrations.webhook.about.paused': {}
  'desk.integrations.webhook.about.trouble': { count: 'number' }
  'desk.integrations.webhook.about.unproven': {}
  'desk.integrations.webhook.about.unproven_again': {}
  'desk.integrations.webhook.advice.connect': {}
  'desk.integrations.webhook.advice.dns': {}
  'desk.integrations.webhook.advice.forbidden_address': {}
  'desk.integrations.webhook.advice.forbidden_url': {}
  'desk.integrations.webhook.advice.gone': {}
  'desk.integrations.webhook.advice.logs': {}
  'desk.integrations.webhook.advice.method': {}
  'desk.integrations.webhook.advice.not_allowed': {}
  'desk.integrations.webhook.advice.path': {}
  'desk.integrations.webhook.advice.protocol': {}
  'desk.integrations.webhook.advice.redirect': {}
  'desk.integrations.webhook.advice.sealed': {}
  'desk.integrations.webhook.advice.sign_in': {}
  'desk.integrations.webhook.advice.slow_down': {}
  'desk.integrations.webhook.advice.tls': {}
  'desk.integrations.webhook.advice.too_large': {}
  'desk.integrations.webhook.advice.too_many_headers': {}
  'desk.integrations.webhook.all_deliveries': {}
  'desk.integrations.webhook.attempt_none': {}
  'desk.integrations.webhook.attempt_number': { number: 'number' }
  'desk.integrations.webhook.attempt_running': {}
  'desk.integrations.webhook.attempts': { count: 'number' }
  'desk.integrations.webhook.attempts_list': {}
  'desk.integrations.webhook.attempts_title': {}
  'desk.integrations.webhook.body': {}
  'desk.integrations.webhook.body_copy': {}
  'desk.integrations.webhook.body_deleted': {}
  'desk.integrations.webhook.body_text': {}
  'desk.integrations.webhook.body_view.formatted': {}
  'desk.integrations.webhook.body_view.raw': {}
  'desk.integrations.webhook.cancelled.after': {}
  'desk.integrations.webhook.cancelled.before': {}
  'desk.integrations.webhook.cancelled.test': {}
  'desk.integrations.webhook.challenge_returned': {}
  'desk.integrations.webhook.change_url': {}
  'desk.integrations.webhook.change_url_about': { next: readonly ('held' | 'other' | 'paused')[] }
  'desk.integrations.webhook.copy_secret': {}
  'desk.integrations.webhook.count.cancelled': { count: 'number' }
  'desk.integrations.webhook.count.delivered': { count: 'number' }
  'desk.integrations.webhook.count.exhausted': { count: 'number' }
  'desk.integrations.webhook.count.held': { count: 'number' }
  'desk.integrations.webhook.count.pending': { count: 'number' }
  'desk.integrations.webhook.counting': {}
  'desk.integrations.webhook.deleted_piece': {}
  'desk.integrations.webhook.deliveries': {}
  'desk.integrations.webhook.deliveries_lead': {}
  'desk.integrations.webhook.delivery': {}
  'desk.integrations.webhook.delivery_gone': {}
  'desk.integrations.webhook.failed_all': { count: 'number' }
  'desk.integrations.webhook.failed_last': { count: 'number' }
  'desk.integrations.webhook.failure': { problem: readonly ('abandoned' | 'connect' | 'dns' | 'forbidden_address' | 'forbidden_url' | 'other' | 'protocol' | 'reset' | 'sealed' | 'timeout' | 'tls' | 'too_many_headers')[]; status: 'text' }
  'desk.integrations.webhook.filter': {}
  'desk.integrations.webhook.filter_all': {}
  'desk.integrations.webhook.from': {}
  'desk.integrations.webhook.go_to': {}
  'desk.integrations.webhook.headers': {}
  'desk.integrations.webhook.held.disabled': {}
  'desk.integrations.webhook.held.live': {}
  'desk.integrations.webhook.held.paused': {}
  'desk.integrations.webhook.held.unproven': {}
  'desk.integrations.webhook.held_now': { count: 'number' }
  'desk.integrations.webhook.held_while_stopped': { count: 'number' }
  'desk.integrations.webhook.last_30_days': {}
  'desk.integrations.webhook.list': {}
  'desk.integrations.webhook.new_secret': {}
  'desk.integrations.webhook.new_secret_about': {}
  'desk.integrations.webhook.new_url': {}
  'desk.integrations.webhook.next_attempt': { day: readonly ('now' | 'other' | 'today' | 'tomorrow' | 'week')[]; at: 'date' }
  'desk.integrations.webhook.none': {}
  'desk.integrations.webhook.none_in_state': {}
  'desk.integrations.webhook.none_in_state_about': {}
  'desk.integrations.webhook.none_without': {}
  'desk.integrations.webhook.none_yet': {}
  'desk.integrations.webhook.now_live': {}
  'desk.integrations.webhook.older': {}
  'desk.integrations.webhook.only_failed': {}
  'desk.integrations.webhook.only_failed_hint': {}
  'desk.integrations.webhook.open_piece': {}
  'desk.integrations.webhook.overlap': {}
  'desk.integrations.webhook.overlap.0': {}
  'desk.integrations.webhook.overlap.168': {}
  'desk.integrations.webhook.overlap.24': {}
  'desk.integrations.webhook.overlap.72': {}
  'desk.integrations.webhook.overlap_both': {}
  'desk.integrations.webhook.overlap_none': {}
  'desk.integrations.webhook.pause': {}
  'desk.integrations.webhook.payload': {}
  'desk.integrations.webhook.payload_guide': { link: 'tag' }
  'desk.integrations.webhook.payload_updates': {}
  'desk.integrations.webhook.payload_when': {}
  'desk.integrations.webhook.previous_secret': { day: readonly ('now' | 'other' | 'today' | 'tomorrow' | 'week')[]; at: 'date' }
  'desk.integrations.webhook.queued': {}
  'desk.integrations.webhook.range_empty': {}
  'desk.integrations.webhook.range_invalid': {}
  'desk.integrations.webhook.recent': {}
  'desk.integrations.webhook.recent_none': {}
  'desk.integrations.webhook.recent_one': { state: 'text'; title: 'text'; time: 'text' }
  'desk.integrations.webhook.remove_about': { host: 'text' }
  'desk.integrations.webhook.remove_confirm': {}
  'desk.integrations.webhook.remove_title': {}
  'desk.integrations.webhook.remove_unsent': { count: 'number' }
  'desk.integrations.webhook.request': {}
  'desk.integrations.webhook.request_lead': {}
  'desk.integrations.webhook.resend': {}
  'desk.integrations.webhook.resend_blocked.disabled': {}
  'desk.integrations.webhook.resend_blocked.paused': {}
  'desk.integrations.webhook.resend_blocked.unproven': {}
  'desk.integrations.webhook.resend_by_date': {}
  'desk.integrations.webhook.resend_failed': {}
  'desk.integrations.webhook.resend_failed_title': {}
  'desk.integrations.webhook.resend_later': {}
  'desk.integrations.webhook.resend_one': { title: 'text' }
  'desk.integrations.webhook.resend_queued': {}
  'desk.integrations.webhook.resent': { count: 'number' }
  'desk.integrations.webhook.responded': { status: 'text' }
  'desk.integrations.webhook.responded_in': { status: 'text'; ms: 'number' }
  'desk.integrations.webhook.result': { problem: readonly ('abandoned' | 'connect' | 'dns' | 'forbidden_address' | 'forbidden_url' | 'other' | 'protocol' | 'reset' | 'sealed' | 'timeout' | 'tls' | 'too_many_headers')[]; status: 'text' }
  'desk.integrations.webhook.resume': {}
  'desk.integrations.webhook.rotate': {}
  'desk.integrations.webhook.rotate_again': {}
  'desk.integrations.webhook.rotate_secret': {}
  'desk.integrations.webhook.rotate_submit': {}
  'desk.integrations.webhook.sample': {}
  'desk.integrations.webhook.sample_copy': {}
  'desk.integrations.webhook.sample_in': { language: 'text' }
  'desk.integrations.webhook.sample_secret': { code: 'tag' }
  'desk.integrations.webhook.save_and_test': {}
  'desk.integrations.webhook.secret': {}
  'desk.integrations.webhook.secret_ends': { code: 'tag'; hint: 'text' }
  'desk.integrations.webhook.secret_made': { time: 'text' }
  'desk.integrations.webhook.send_test': {}
  'desk.integrations.webhook.sending': {}
  'desk.integrations.webhook.sent_to': { address: 'text' }
  'desk.integrations.webhook.set_up': {}
  'desk.integrations.webhook.setup_note': { link: 'tag' }
  'desk.integrations.webhook.state.cancelled': {}
  'desk.integrations.webhook.state.delivered': {}
  'desk.integrations.webhook.state.exhausted': {}
  'desk.integrations.webhook.state.held': {}
  'desk.integrations.webhook.state.pending': {}
  'desk.integrations.webhook.status.disabled': {}
  'desk.integrations.webhook.status.failing': {}
  'desk.integrations.webhook.status.live': {}
  'desk.integrations.webhook.status.paused': {}
  'desk.integrations.webhook.status.trouble': {}
  'desk.integrations.webhook.status.unproven': {}
  'desk.integrations.webhook.still_paused': {}
  'desk.integrations.webhook.stopped_trying': {}
  'desk.integrations.webhook.test': {}
  'desk.integrations.webhook.test_details': {}
  'desk.integrations.webhook.testing': {}
  'desk.integrations.webhook.testing_url': { url: 'text' }
  'desk.integrations.webhook.to': {}
  'desk.integrations.webhook.toast.paused': {}
  'desk.integrations.webhook.toast.removed': {}
  'desk.integrations.webhook.toast.resumed': {}
  'desk.integrations.webhook.try_again_at': { day: readonly ('now' | 'other' | 'today' | 'tomorrow' | 'week')[]; at: 'date' }
  'desk.integrations.webhook.url': {}
  'desk.integrations.webhook.url_label': {}
  'desk.integrations.webhook.url_responded': { time: 'text' }
  'desk.integrations.webhook.url_unproven': { time: 'text' }
  'desk.integrations.webhook.view_all': {}
  'desk.integrations.webhook.view_all_deliveries': {}
  'desk.integrations.webhook.will_resend': { count: 'number' }
  'desk.integrations.webhook.will_resend_oldest': { count: 'number' }
  'desk.integrations.website.button.check': {}
  'desk.integrations.website.button.check_again': {}
  'desk.integrations.website.button.checking': {}
  'desk.integrations.website.checked_at': { time: 'text' }
  'desk.integrations.website.daily': {}
  'desk.integrations.website.found_link': { page: 'text' }
  'desk.integrations.website.found_tag': { page: 'text' }
  'desk.integrations.website.how': {}
  'desk.integrations.website.meta_tag': {}
  'desk.integrations.website.removed': {}
  'desk.integrations.website.saved': {}
  'desk.integrations.website.state.failed': { host: 'text' }
  'desk.integrations.website.state.none': { host: 'text' }
  'desk.integrations.website.state.proven': { host: 'text' }
  'desk.integrations.website.state.unreachable': { host: 'text' }
  'desk.integrations.website.state.waiting': { host: 'text' }
  'desk.integrations.website.still_verified': {}
  'desk.integrations.website.url': {}
  'desk.integrations.website.verified_at': { time: 'text' }
  'desk.integrations.website.visible_link': {}
  'desk.pieces.bulk.add_tag': {}
  'desk.pieces.bulk.all': {}
  'desk.pieces.bulk.bar': {}
  'desk.pieces.bulk.category_title': { count: 'number' }
  'desk.pieces.bulk.changed': { count: 'number' }
  'desk.pieces.bulk.clear': {}
  'desk.pieces.bulk.count': { count: 'number' }
  'desk.pieces.bulk.failed': { count: 'number' }
  'desk.pieces.bulk.progress': { done: 'number'; total: 'number' }
  'desk.pieces.bulk.published_about': {}
  'desk.pieces.bulk.restored': { count: 'number' }
  'desk.pieces.bulk.set_category': {}
  'desk.pieces.bulk.tag': {}
  'desk.pieces.bulk.tag_title': { count: 'number' }
  'desk.pieces.bulk.too_many_tags': { limit: 'number' }
  'desk.pieces.bulk.trashed': { count: 'number' }
  'desk.pieces.bulk.unpublish': {}
  'desk.pieces.bulk.unpublish_about': {}
  'desk.pieces.bulk.unpublish_title': { count: 'number' }
  'desk.pieces.bulk.unpublished': { count: 'number' }
  'desk.pieces.co_authors_waiting': { count: 'number'; link: 'tag' }
  'desk.pieces.copy_of': { headline: 'text' }
  'desk.pieces.delete_failed': { headline: 'text'; problem: 'text' }
  'desk.pieces.deleted': { headline: 'text' }
  'desk.pieces.drafted_by': { key: 'text' }
  'desk.pieces.duplicate': {}
  'desk.pieces.duplicate_failed': { headline: 'text'; problem: 'text' }
  'desk.pieces.edited': {}
  'desk.pieces.filter': {}
  'desk.pieces.filter_all': {}
  'desk.pieces.filter_api': {}
  'desk.pieces.filter_drafts': {}
  'desk.pieces.filter_scheduled': {}
  'desk.pieces.history': {}
  'desk.pieces.imported': { count: 'number'; link: 'tag' }
  'desk.pieces.link_copied': {}
  'desk.pieces.link_not_copied': {}
  'desk.pieces.list.changed': {}
  'desk.pieces.list.headline': {}
  'desk.pieces.list.published': {}
  'desk.pieces.list.reads': {}
  'desk.pieces.menu': { headline: 'text' }
  'desk.pieces.move_to_trash': {}
  'desk.pieces.new': {}
  'desk.pieces.next': {}
  'desk.pieces.none.api_text': {}
  'desk.pieces.none.api_title': {}
  'desk.pieces.none.approved_text': {}
  'desk.pieces.none.approved_title': {}
  'desk.pieces.none.changes_requested_text': {}
  'desk.pieces.none.changes_requested_title': {}
  'desk.pieces.none.create_key': {}
  'desk.pieces.none.draft_text': {}
  'desk.pieces.none.draft_title': {}
  'desk.pieces.none.import': { link: 'tag' }
  'desk.pieces.none.no_results': { q: 'text' }
  'desk.pieces.none.no_results_text': {}
  'desk.pieces.none.pending_text': {}
  'desk.pieces.none.pending_title': {}
  'desk.pieces.none.rejected_text': {}
  'desk.pieces.none.rejected_title': {}
  'desk.pieces.none.show_all': {}
  'desk.pieces.none.text': {}
  'desk.pieces.none.title': {}
  'desk.pieces.none.trash': { link: 'tag' }
  'desk.pieces.none.write': {}
  'desk.pieces.open': {}
  'desk.pieces.preview_and_publish': {}
  'desk.pieces.previous': {}
  'desk.pieces.published': {}
  'desk.pieces.reads': {}
  'desk.pieces.search': {}
  'desk.pieces.select': { headline: 'text' }
  'desk.pieces.select_piece': {}
  'desk.pieces.show_more': {}
  'desk.pieces.sort': {}
  'desk.pieces.translate': {}
  'desk.pieces.translate.about': {}
  'desk.pieces.translate.create': {}
  'desk.pieces.translate.language': {}
  'desk.pieces.translate.language_hint': {}
  'desk.pieces.translate.title': { headline: 'text' }
  'desk.pieces.translations_waiting': { count: 'number'; link: 'tag' }
  'desk.pieces.trash.delete': {}
  'desk.pieces.trash.delete_confirm': {}
  'desk.pieces.trash.delete_one': { headline: 'text' }
  'desk.pieces.trash.delete_title': { headline: 'text' }
  'desk.pieces.trash.deleted': { at: 'text' }
  'desk.pieces.trash.deleted_by': { at: 'text'; key: 'text' }
  'desk.pieces.trash.deleted_by_key': { at: 'text' }
  'desk.pieces.trash.deleted_permanently': { headline: 'text' }
  'desk.pieces.trash.emptied': {}
  'desk.pieces.trash.empty': {}
  'desk.pieces.trash.empty_confirm': {}
  'desk.pieces.trash.empty_title': {}
  'desk.pieces.trash.gone': { at: 'text' }
  'desk.pieces.trash.lead': {}
  'desk.pieces.trash.none': {}
  'desk.pieces.trash.none_text': {}
  'desk.pieces.trash.restore': {}
  'desk.pieces.trash.restore_one': { headline: 'text' }
  'desk.pieces.trash.restored': { headline: 'text' }
  'desk.pieces.trash.title': {}
  'desk.pieces.unpublished_changes': {}
  'desk.pieces.view': {}
  'desk.pieces.words': { count: 'number' }
  'desk.profile.address': {}
  'desk.profile.address_change': {}
  'desk.profile.address_changed': {}
  'desk.profile.address_character': { character: 'text' }
  'desk.profile.address_empty': {}
  'desk.profile.address_hint': {}
  'desk.profile.address_hyphen': {}
  'desk.profile.address_label': {}
  'desk.profile.address_lead': {}
  'desk.profile.address_new': {}
  'desk.profile.address_old': {}
  'desk.profile.address_submit': {}
  'desk.profile.address_too_long': { max: 'number'; count: 'number' }
  'desk.profile.address_unavailable': {}
  'desk.profile.bio': {}
  'desk.profile.bio_hint': {}
  'desk.profile.card': {}
  'desk.profile.card_bio': {}
  'desk.profile.card_link': {}
  'desk.profile.card_name': {}
  'desk.profile.card_private': {}
  'desk.profile.lead': {}
  'desk.profile.location': {}
  'desk.profile.name': {}
  'desk.profile.name_malformed': {}
  'desk.profile.name_missing': {}
  'desk.profile.niche': {}
  'desk.profile.niche_hint': {}
  'desk.profile.photo': {}
  'desk.profile.photo_add': {}
  'desk.profile.photo_alt': {}
  'desk.profile.photo_change': {}
  'desk.profile.photo_removed': {}
  'desk.profile.photo_sending': {}
  'desk.profile.photo_updated': {}
  'desk.profile.role': {}
  'desk.profile.role_hint': {}
  'desk.profile.saved_private': {}
  'desk.profile.saved_public': {}
  'desk.profile.verified': {}
  'desk.publish.act.publish': {}
  'desk.publish.act.resubmit': {}
  'desk.publish.act.revise': {}
  'desk.publish.act.schedule': {}
  'desk.publish.act.submit': {}
  'desk.publish.act.unpublish': {}
  'desk.publish.act.unschedule': {}
  'desk.publish.act.update': {}
  'desk.publish.act.withdraw': {}
  'desk.publish.address': {}
  'desk.publish.address_about': {}
  'desk.publish.address_edit': {}
  'desk.publish.address_end': {}
  'desk.publish.address_new': { path: 'text' }
  'desk.publish.address_taken': { taken: 'text'; slug: 'text' }
  'desk.publish.back': {}
  'desk.publish.category_missing': {}
  'desk.publish.confirm.unpublish': {}
  'desk.publish.continue_writing': {}
  'desk.publish.details': {}
  'desk.publish.done.publish': {}
  'desk.publish.done.resubmit': {}
  'desk.publish.done.revise': {}
  'desk.publish.done.schedule': {}
  'desk.publish.done.submit': {}
  'desk.publish.done.unpublish': {}
  'desk.publish.done.unschedule': {}
  'desk.publish.done.update': {}
  'desk.publish.done.withdraw': {}
  'desk.publish.effect.publish': {}
  'desk.publish.effect.resubmit': {}
  'desk.publish.effect.revise': {}
  'desk.publish.effect.schedule': {}
  'desk.publish.effect.submit': {}
  'desk.publish.effect.unpublish': {}
  'desk.publish.effect.unschedule': {}
  'desk.publish.effect.update': {}
  'desk.publish.effect.withdraw': {}
  'desk.publish.feeds': { json: 'tag'; rss: 'tag' }
  'desk.publish.headline_add': {}
  'desk.publish.headline_missing': {}
  'desk.publish.lead.approved': {}
  'desk.publish.lead.changed': {}
  'desk.publish.lead.changes_requested': {}
  'desk.publish.lead.draft': {}
  'desk.publish.lead.draft_review_required': {}
  'desk.publish.lead.pending': {}
  'desk.publish.lead.rejected': {}
  'desk.publish.lead.scheduled': {}
  'desk.publish.lead.taken_down_changes_requested': {}
  'desk.publish.lead.taken_down_rejected': {}
  'desk.publish.link.create': {}
  'desk.publish.link.created': {}
  'desk.publish.link.lead': {}
  'desk.publish.link.lifetime': {}
  'desk.publish.link.lifetime_days': { count: 'number' }
  'desk.publish.link.opened': { created: 'text'; expires: 'text'; opened: 'text' }
  'desk.publish.link.revoke': {}
  'desk.publish.link.title': {}
  'desk.publish.link.unopened': { created: 'text'; expires: 'text' }
  'desk.publish.links_left': { count: 'number'; link: 'tag' }
  'desk.publish.meta.cut': { count: 'text'; most: 'text' }
  'desk.publish.meta.description': {}
  'desk.publish.meta.room': { count: 'text'; most: 'text' }
  'desk.publish.meta.separate': {}
  'desk.publish.meta.social_description': {}
  'desk.publish.meta.social_title': {}
  'desk.publish.meta.title': {}
  'desk.publish.moderator_note': {}
  'desk.publish.more_details': {}
  'desk.publish.more_options': {}
  'desk.publish.new_piece': {}
  'desk.publish.no_headline': {}
  'desk.publish.notify.feeds': {}
  'desk.publish.notify.followers': { count: 'number' }
  'desk.publish.notify.nobody': {}
  'desk.publish.notify.original': { title: 'text'; author: 'text' }
  'desk.publish.notify.search': {}
  'desk.publish.notify.title': {}
  'desk.publish.notify.title_after_review': {}
  'desk.publish.notify.webhook_disabled': { link: 'tag'; host: 'text' }
  'desk.publish.notify.webhook_live': { link: 'tag'; host: 'text' }
  'desk.publish.notify.webhook_paused': { link: 'tag'; host: 'text' }
  'desk.publish.notify.webhook_unproven': { link: 'tag'; host: 'text' }
  'desk.publish.notify.webhook_untested': { link: 'tag'; host: 'text' }
  'desk.publish.only_you': {}
  'desk.publish.preview': {}
  'desk.publish.preview_page': {}
  'desk.publish.result.draft': {}
  'desk.publish.result.submitted': {}
  'desk.publish.result.unpublished': {}
  'desk.publish.share': {}
  'desk.publish.share_email': {}
  'desk.publish.shortcut': {}
  'desk.publish.stale.edited': {}
  'desk.publish.stale.expired': {}
  'desk.publish.stale.status_changed': {}
  'desk.publish.submit_instead': {}
  'desk.publish.tag_add': { tag: 'text' }
  'desk.publish.title': {}
  'desk.publish.view.desktop': {}
  'desk.publish.view.links': {}
  'desk.publish.view.links_hint': {}
  'desk.publish.view.phone': {}
  'desk.publish.view.search': {}
  'desk.publish.view.shared': {}
  'desk.publish.view.title': {}
  'desk.publish.what_happens': {}
  'desk.publish.when.at': {}
  'desk.publish.when.later': {}
  'desk.publish.when.now': {}
  'desk.publish.when.title': {}
  'desk.publish.when.zone': { zone: 'text' }
  'desk.requests.agree': {}
  'desk.requests.agree_one': { headline: 'text' }
  'desk.requests.answer.agreed': {}
  'desk.requests.answer.declined': {}
  'desk.requests.answer.withdrawn': {}
  'desk.requests.answered': {}
  'desk.requests.change': {}
  'desk.requests.change_one': { headline: 'text' }
  'desk.requests.close_one': { headline: 'text' }
  'desk.requests.co_author.at': { at: 'text' }
  'desk.requests.co_author.by': { person: 'text' }
  'desk.requests.co_author.done.agree': { person: 'text' }
  'desk.requests.co_author.done.decline': { person: 'text' }
  'desk.requests.co_author.done.withdraw': { person: 'text' }
  'desk.requests.co_author.effect.agree': { person: 'text' }
  'desk.requests.co_author.effect.decline': { person: 'text' }
  'desk.requests.co_author.effect.withdraw': { person: 'text' }
  'desk.requests.co_author.empty': {}
  'desk.requests.co_author.empty_about': {}
  'desk.requests.co_author.empty_own': {}
  'desk.requests.co_author.frame': { headline: 'text' }
  'desk.requests.co_author.lead': {}
  'desk.requests.co_author.open': {}
  'desk.requests.co_author.open_one': { headline: 'text' }
  'desk.requests.co_author.question.agree': {}
  'desk.requests.co_author.question.decline': {}
  'desk.requests.co_author.question.withdraw': {}
  'desk.requests.co_author.withdraw': {}
  'desk.requests.co_author.withdraw_one': { headline: 'text' }
  'desk.requests.decline': {}
  'desk.requests.decline_one': { headline: 'text' }
  'desk.requests.none_waiting': {}
  'desk.requests.read': {}
  'desk.requests.read_one': { headline: 'text' }
  'desk.requests.translation.at': { at: 'text' }
  'desk.requests.translation.by': { person: 'text' }
  'desk.requests.translation.done.agree': { person: 'text' }
  'desk.requests.translation.done.decline': { person: 'text' }
  'desk.requests.translation.done.withdraw': { person: 'text' }
  'desk.requests.translation.effect.agree': { person: 'text'; original: 'text' }
  'desk.requests.translation.effect.decline': { person: 'text'; original: 'text' }
  'desk.requests.translation.effect.withdraw': { original: 'text'; person: 'text' }
  'desk.requests.translation.empty': {}
  'desk.requests.translation.empty_about': {}
  'desk.requests.translation.empty_own': {}
  'desk.requests.translation.frame': { headline: 'text' }
  'desk.requests.translation.lead': {}
  'desk.requests.translation.of': { link: 'tag'; original: 'text' }
  'desk.requests.translation.question.agree': {}
  'desk.requests.translation.question.decline': {}
  'desk.requests.translation.question.withdraw': {}
  'desk.requests.translation.withdraw': {}
  'desk.requests.translation.withdraw_one': { headline: 'text' }
  'desk.requests.view': {}
  'desk.requests.waiting': {}
  'desk.review.appeal.as_published': {}
  'desk.review.appeal.as_submitted': {}
  'desk.review.appeal.decided_by': { writer: 'text'; moderator: 'text' }
  'desk.review.appeal.decided_by_operator': { writer: 'text' }
  'desk.review.appeal.done.reversed': {}
  'desk.review.appeal.done.upheld': {}
  'desk.review.appeal.effect.reversed': {}
  'desk.review.appeal.effect.upheld': {}
  'desk.review.appeal.label.reversed': {}
  'desk.review.appeal.label.upheld': {}
  'desk.review.appeal.not_appealed': {}
  'desk.review.appeal.own': { code: 'tag' }
  'desk.review.appeal.payment_url': { url: 'text' }
  'desk.review.appeal.question.reversed': {}
  'desk.review.appeal.question.upheld': {}
  'desk.review.appeal.reason': {}
  'desk.review.appeal.reason_hint': {}
  'desk.review.appeal.title': {}
  'desk.review.appeals.act.reject': { time: 'text' }
  'desk.review.appeals.act.take_down': { time: 'text' }
  'desk.review.appeals.act.withhold': { time: 'text' }
  'desk.review.appeals.appealed_at': { time: 'text' }
  'desk.review.appeals.empty_all': {}
  'desk.review.appeals.empty_all_about': {}
  'desk.review.appeals.empty_open': {}
  'desk.review.appeals.empty_open_about': {}
  'desk.review.appeals.filter': {}
  'desk.review.appeals.filter_all': {}
  'desk.review.appeals.filter_open': {}
  'desk.review.appeals.lead': {}
  'desk.review.appeals.list_all': {}
  'desk.review.appeals.list_open': {}
  'desk.review.appeals.mine': {}
  'desk.review.appeals.outcome.reversed': {}
  'desk.review.appeals.outcome.upheld': {}
  'desk.review.appeals.title': {}
  'desk.review.back.appeals': {}
  'desk.review.back.queue': {}
  'desk.review.back.reports': {}
  'desk.review.by': { writer: 'text' }
  'desk.review.category': {}
  'desk.review.category.copyright': {}
  'desk.review.category.danger': {}
  'desk.review.category.editorial': {}
  'desk.review.category.harassment': {}
  'desk.review.category.illegal': {}
  'desk.review.category.impersonation': {}
  'desk.review.category.other': {}
  'desk.review.category.private_information': {}
  'desk.review.category.spam': {}
  'desk.review.category_hint': {}
  'desk.review.changes.before': {}
  'desk.review.changes.field.headline': {}
  'desk.review.changes.field.standfirst': {}
  'desk.review.changes.lead': {}
  'desk.review.changes.list': {}
  'desk.review.changes.none': {}
  'desk.review.changes.nothing.before': {}
  'desk.review.changes.nothing.now': {}
  'desk.review.changes.now': {}
  'desk.review.changes.side.before': {}
  'desk.review.changes.side.now': {}
  'desk.review.changes.title': {}
  'desk.review.count_or_more': { count: 'number' }
  'desk.review.decide.dismiss': {}
  'desk.review.decide.done.approve': {}
  'desk.review.decide.done.reject': {}
  'desk.review.decide.done.request_changes': {}
  'desk.review.decide.done.take_down': {}
  'desk.review.decide.effect.approve': {}
  'desk.review.decide.effect.reject': {}
  'desk.review.decide.effect.request_changes': {}
  'desk.review.decide.effect.take_down': {}
  'desk.review.decide.explanation': {}
  'desk.review.decide.explanation_hint': {}
  'desk.review.decide.label.approve': {}
  'desk.review.decide.label.reject': {}
  'desk.review.decide.label.request_changes': {}
  'desk.review.decide.label.take_down': {}
  'desk.review.decide.next': {}
  'desk.review.decide.next.changes_requested': {}
  'desk.review.decide.next.rejected': {}
  'desk.review.decide.note': {}
  'desk.review.decide.note_hint': {}
  'desk.review.decide.notified': { writer: 'text' }
  'desk.review.decide.notified_reporters': { writer: 'text' }
  'desk.review.decide.question.approve': {}
  'desk.review.decide.question.reject': {}
  'desk.review.decide.question.request_changes': {}
  'desk.review.decide.question.take_down': {}
  'desk.review.decide.show_latest': {}
  'desk.review.decide.title': {}
  'desk.review.invitations.copy_link': {}
  'desk.review.invitations.create_link': {}
  'desk.review.invitations.email': {}
  'desk.review.invitations.email_hint': {}
  'desk.review.invitations.email_invalid': {}
  'desk.review.invitations.empty': {}
  'desk.review.invitations.empty_about': {}
  'desk.review.invitations.expires_at': { time: 'text' }
  'desk.review.invitations.invite': {}
  'desk.review.invitations.invite_title': {}
  'desk.review.invitations.lead': {}
  'desk.review.invitations.link': {}
  'desk.review.invitations.link_about': {}
  'desk.review.invitations.made': { time: 'text'; moderator: 'text' }
  'desk.review.invitations.made_by_operator': { time: 'text' }
  'desk.review.invitations.revoke': {}
  'desk.review.invitations.revoke_one': { name: 'text' }
  'desk.review.invitations.revoked': {}
  'desk.review.invitations.send': {}
  'desk.review.invitations.sent': { email: 'text' }
  'desk.review.invitations.title': {}
  'desk.review.invitations.used_at': { time: 'text' }
  'desk.review.log.empty': {}
  'desk.review.log.empty_about': {}
  'desk.review.log.front_page': { moderator: 'text' }
  'desk.review.log.lead': {}
  'desk.review.log.list': {}
  'desk.review.log.listing.dismiss_reports': { moderator: 'text'; listing: 'text'; writer: 'text' }
  'desk.review.log.listing.reinstate': { moderator: 'text'; listing: 'text'; writer: 'text' }
  'desk.review.log.listing.uphold': { moderator: 'text'; listing: 'text'; writer: 'text' }
  'desk.review.log.listing.withhold': { moderator: 'text'; listing: 'text'; writer: 'text' }
  'desk.review.log.not_public': {}
  'desk.review.log.other': { moderator: 'text'; writer: 'text' }
  'desk.review.log.piece.approve': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.dismiss_reports': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.reinstate': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.reject': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.request_changes': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.take_down': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.piece.uphold': { moderator: 'text'; piece: 'text'; writer: 'text' }
  'desk.review.log.title': {}
  'desk.review.log.unknown_moderator': {}
  'desk.review.log.unknown_piece': {}
  'desk.review.log.unknown_writer': {}
  'desk.review.log.writer.restore': { moderator: 'text'; writer: 'text' }
  'desk.review.log.writer.suspend': { moderator: 'text'; writer: 'text' }
  'desk.review.log.writer.verify_identity': { moderator: 'text'; writer: 'text' }
  'desk.review.log.writer.withdraw_identity': { moderator: 'text'; writer: 'text' }
  'desk.review.nav': {}
  'desk.review.nav.appeals': {}
  'desk.review.nav.invitations': {}
  'desk.review.nav.log': {}
  'desk.review.nav.queue': {}
  'desk.review.nav.reports': {}
  'desk.review.nav.writers': {}
  'desk.review.piece.as_published': {}
  'desk.review.piece.first': {}
  'desk.review.piece.frame': { headline: 'text' }
  'desk.review.piece.preview': {}
  'desk.review.piece.published': { writer: 'text' }
  'desk.review.piece.reports': {}
  'desk.review.piece.submitted': { writer: 'text'; time: 'text' }
  'desk.review.piece.title': {}
  'desk.review.queue.empty': {}
  'desk.review.queue.empty_about': {}
  'desk.review.queue.lead': {}
  'desk.review.queue.list': {}
  'desk.review.queue.no_reports': {}
  'desk.review.queue.reported': { count: 'number'; link: 'tag' }
  'desk.review.queue.reported_more': { count: 'number'; link: 'tag' }
  'desk.review.queue.submitted_at': { time: 'text' }
  'desk.review.queue.title': {}
  'desk.review.reports.dismiss': {}
  'desk.review.reports.dismiss_about': { headline: 'text' }
  'desk.review.reports.dismiss_one': { headline: 'text' }
  'desk.review.reports.dismiss_title': { count: 'number' }
  'desk.review.reports.dismissed': {}
  'desk.review.reports.empty': {}
  'desk.review.reports.empty_about': {}
  'desk.review.reports.empty_in': { category: 'text' }
  'desk.review.reports.filter': {}
  'desk.review.reports.filter_all': {}
  'desk.review.reports.lead': {}
  'desk.review.reports.list': {}
  'desk.review.reports.listing_by': { writer: 'text' }
  'desk.review.reports.no_email': {}
  'desk.review.reports.place': { q: 'tag'; place: 'text' }
  'desk.review.reports.review': {}
  'desk.review.reports.summary': { reports: 'number'; reporters: 'number'; time: 'text' }
  'desk.review.reports.summary_one': { time: 'text' }
  'desk.review.reports.take_down': {}
  'desk.review.reports.take_down_about': {}
  'desk.review.reports.take_down_one': { headline: 'text' }
  'desk.review.reports.take_down_title': { headline: 'text' }
  'desk.review.reports.taken_down': {}
  'desk.review.reports.title': {}
  'desk.review.reports.with_note': { strong: 'tag'; category: 'text'; q: 'tag'; note: 'text' }
  'desk.review.show_more': {}
  'desk.review.writers.done.restore': { name: 'text' }
  'desk.review.writers.done.suspend': { name: 'text' }
  'desk.review.writers.done.unverify': { name: 'text' }
  'desk.review.writers.done.verify': { name: 'text' }
  'desk.review.writers.effect.restore': {}
  'desk.review.writers.effect.suspend': {}
  'desk.review.writers.effect.unverify': {}
  'desk.review.writers.effect.verify': {}
  'desk.review.writers.empty': {}
  'desk.review.writers.empty_about': {}
  'desk.review.writers.evidence': {}
  'desk.review.writers.find': {}
  'desk.review.writers.find_hint': {}
  'desk.review.writers.hint.restore': {}
  'desk.review.writers.hint.suspend': {}
  'desk.review.writers.label.restore': {}
  'desk.review.writers.label.suspend': {}
  'desk.review.writers.label.unverify': {}
  'desk.review.writers.label.verify': {}
  'desk.review.writers.label_one.restore': { name: 'text' }
  'desk.review.writers.label_one.suspend': { name: 'text' }
  'desk.review.writers.label_one.unverify': { name: 'text' }
  'desk.review.writers.label_one.verify': { name: 'text' }
  'desk.review.writers.lead': {}
  'desk.review.writers.no_pieces': {}
  'desk.review.writers.no_results': { query: 'text' }
  'desk.review.writers.no_results_about': {}
  'desk.review.writers.note_hint': {}
  'desk.review.writers.pieces': { count: 'number' }
  'desk.review.writers.question.restore': { name: 'text' }
  'desk.review.writers.question.suspend': { name: 'text' }
  'desk.review.writers.question.unverify': { name: 'text' }
  'desk.review.writers.question.verify': { name: 'text' }
  'desk.review.writers.reason': {}
  'desk.review.writers.suspended_for': { reason: 'text' }
  'desk.review.writers.title': {}
  'desk.review.writers.unverified': {}
  'desk.review.writers.verified': {}
  'desk.review.writers.website_verified': {}
  'desk.series.conflict': {}
  'desk.series.delete_about': {}
  'desk.series.delete_title': { title: 'text' }
  'desk.series.deleted': { title: 'text' }
  'desk.series.description': {}
  'desk.series.description_hint': {}
  'desk.series.empty': {}
  'desk.series.gone': {}
  'desk.series.lead': {}
  'desk.series.new': {}
  'desk.series.no_results': { query: 'text' }
  'desk.series.none': {}
  'desk.series.none_found': {}
  'desk.series.parts': { count: 'number' }
  'desk.series.pieces': {}
  'desk.series.pieces_hint': { count: 'number' }
  'desk.series.published': { count: 'number' }
  'desk.series.saved': {}
  'desk.series.saved_public': {}
  'desk.series.title': {}
  'desk.series.view': {}
  'desk.shop.action.publish': {}
  'desk.shop.action.update': {}
  'desk.shop.action.withdraw': {}
  'desk.shop.add': {}
  'desk.shop.category.book': {}
  'desk.shop.category.course': {}
  'desk.shop.category.ebook': {}
  'desk.shop.category.event': {}
  'desk.shop.category.membership': {}
  'desk.shop.category.newsletter': {}
  'desk.shop.category.print': {}
  'desk.shop.category.recording': {}
  'desk.shop.category.template': {}
  'desk.shop.category.workshop': {}
  'desk.shop.confirm.publish': {}
  'desk.shop.confirm.update': {}
  'desk.shop.confirm.withdraw': {}
  'desk.shop.conflict.about': {}
  'desk.shop.conflict.empty': {}
  'desk.shop.conflict.other_value': { field: 'text' }
  'desk.shop.copy_link': {}
  'desk.shop.delete_failed': { name: 'text'; reason: 'text' }
  'desk.shop.deleted': { name: 'text' }
  'desk.shop.done.only_you': {}
  'desk.shop.done.publish': {}
  'desk.shop.done.update': {}
  'desk.shop.done.withdraw': {}
  'desk.shop.effect.publish': {}
  'desk.shop.effect.update': {}
  'desk.shop.effect.withdraw': {}
  'desk.shop.empty': {}
  'desk.shop.empty_about': {}
  'desk.shop.field.category': {}
  'desk.shop.field.category_hint': {}
  'desk.shop.field.currency': {}
  'desk.shop.field.currency_hint': {}
  'desk.shop.field.currency_option': { code: 'text'; name: 'text' }
  'desk.shop.field.description': {}
  'desk.shop.field.description_hint': {}
  'desk.shop.field.image': {}
  'desk.shop.field.image_alt': {}
  'desk.shop.field.image_alt_hint': {}
  'desk.shop.field.image_choose': {}
  'desk.shop.field.image_drop': {}
  'desk.shop.field.image_file': {}
  'desk.shop.field.image_replace': {}
  'desk.shop.field.image_uploading': {}
  'desk.shop.field.name': {}
  'desk.shop.field.other_currencies': {}
  'desk.shop.field.payment_url': {}
  'desk.shop.field.payment_url_hint': {}
  'desk.shop.field.price': {}
  'desk.shop.field.price_hint': {}
  'desk.shop.field.price_invalid': {}
  'desk.shop.field.summary': {}
  'desk.shop.field.summary_hint': {}
  'desk.shop.free': {}
  'desk.shop.go_to_shop': {}
  'desk.shop.gone': {}
  'desk.shop.lead': {}
  'desk.shop.list': {}
  'desk.shop.listing': {}
  'desk.shop.more': { name: 'text' }
  'desk.shop.move_failed': { reason: 'text' }
  'desk.shop.new': {}
  'desk.shop.no_price': {}
  'desk.shop.preview.buy': { host: 'text' }
  'desk.shop.preview.buy_unknown': {}
  'desk.shop.preview.name': {}
  'desk.shop.preview.related': {}
  'desk.shop.preview.seller': { name: 'text' }
  'desk.shop.preview.shop': {}
  'desk.shop.preview.shop_category': { category: 'text' }
  'desk.shop.preview.summary': {}
  'desk.shop.preview.title': {}
  'desk.shop.related.all_added': {}
  'desk.shop.related.hint': { count: 'number' }
  'desk.shop.related.no_results': { query: 'text' }
  'desk.shop.related.none': {}
  'desk.shop.related.not_public': {}
  'desk.shop.related.public': {}
  'desk.shop.related.title': {}
  'desk.shop.save_draft': {}
  'desk.shop.saved': {}
  'desk.shop.saved_not_public': {}
  'desk.shop.saved_toast': {}
  'desk.shop.shortcut_list': {}
  'desk.shop.shortcut_save': {}
  'desk.shop.stale.409': {}
  'desk.shop.stale.412': {}
  'desk.shop.title': {}
  'desk.shop.unsaved': {}
  'desk.shop.view': {}
  'desk.shop.withheld': { site: 'text'; q: 'tag'; reason: 'text' }
  'desk.shop.withheld_about': {}
  'desk.sign-in.confirm_email.button': {}
  'desk.sign-in.confirm_email.done': {}
  'desk.sign-in.confirm_email.lead': {}
  'desk.sign-in.confirm_email.title': {}
  'desk.sign-in.dead_link.lead': {}
  'desk.sign-in.dead_link.sign_in': { link: 'tag' }
  'desk.sign-in.dead_link.title': {}
  'desk.sign-in.email_invalid': {}
  'desk.sign-in.email_link': {}
  'desk.sign-in.forgot.lead': {}
  'desk.sign-in.forgot.sign_in': { link: 'tag' }
  'desk.sign-in.forgot.title': {}
  'desk.sign-in.forgot_link': {}
  'desk.sign-in.keep_account.lead': {}
  'desk.sign-in.keep_account.title': {}
  'desk.sign-in.link.checking': {}
  'desk.sign-in.link.request': {}
  'desk.sign-in.link_needed.lead': {}
  'desk.sign-in.link_needed.title': {}
  'desk.sign-in.recovery.code': {}
  'desk.sign-in.recovery.code_hint': {}
  'desk.sign-in.recovery.done': {}
  'desk.sign-in.recovery.lead': {}
  'desk.sign-in.recovery.other_ways': {}
  'desk.sign-in.recovery.title': {}
  'desk.sign-in.recovery_link': {}
  'desk.sign-in.reset.done': {}
  'desk.sign-in.reset.lead': {}
  'desk.sign-in.reset.remove.key': { name: 'text' }
  'desk.sign-in.reset.remove.link': { name: 'text' }
  'desk.sign-in.reset.remove.passkey': { name: 'text' }
  'desk.sign-in.reset.submit': {}
  'desk.sign-in.reset.title': {}
  'desk.sign-in.reset.ways_lead': {}
  'desk.sign-in.reset.ways_title': {}
  'desk.sign-in.sent.change': {}
  'desk.sign-in.sent.lead_reset': { email: 'text'; hours: 'number' }
  'desk.sign-in.sent.lead_sign_up': { email: 'text'; hours: 'number' }
  'desk.sign-in.sent.nothing': {}
  'desk.sign-in.sent.resend': {}
  'desk.sign-in.sent.resent': {}
  'desk.sign-in.sent.title': {}
  'desk.sign-in.sign_up.closed_lead': { site: 'text' }
  'desk.sign-in.sign_up.closed_title': {}
  'desk.sign-in.sign_up.invited_lead': { site: 'text' }
  'desk.sign-in.sign_up.invited_title': {}
  'desk.sign-in.sign_up.lead': { site: 'text' }
  'desk.sign-in.sign_up.sign_in': { link: 'tag' }
  'desk.sign-in.sign_up.title': {}
  'desk.sign-in.sign_up_link': { link: 'tag' }
  'desk.sign-in.verify.lead': {}
  'desk.sign-in.verify.name': {}
  'desk.sign-in.verify.name_hint': {}
  'desk.sign-in.verify.name_missing': {}
  'desk.sign-in.verify.passkey': {}
  'desk.sign-in.verify.passkey_instead': {}
  'desk.sign-in.verify.password_instead': {}
  'desk.sign-in.verify.title': {}
  'desk.sign-in.verify.with_passkey': {}
  'desk.sign-in.verify.with_password': {}
  'desk.stats.all_time': { count: 'number' }
  'desk.stats.as_table': {}
  'desk.stats.back': {}
  'desk.stats.busiest_day': { day: 'text'; count: 'number' }
  'desk.stats.day': { day: 'text'; count: 'number' }
  'desk.stats.days': { count: 'number' }
  'desk.stats.edit': {}
  'desk.stats.lead': {}
  'desk.stats.most_read': {}
  'desk.stats.most_read_list': {}
  'desk.stats.no_reads': {}
  'desk.stats.none': {}
  'desk.stats.none_text': {}
  'desk.stats.not_published': {}
  'desk.stats.per_day': {}
  'desk.stats.period': {}
  'desk.stats.piece': {}
  'desk.stats.piece_gone': {}
  'desk.stats.reads': { count: 'number'; unit: 'tag' }
  'desk.stats.sources': {}
  'desk.stats.sources_lead': {}
  'desk.stats.sources_list': {}
  'desk.stats.sources_none': {}
  'desk.stats.sources_other': {}
  'desk.stats.table': {}
  'desk.stats.table_day': {}
  'desk.stats.table_reads': {}
  'desk.stats.total': { reads: 'number'; number: 'tag'; days: 'number' }
  'desk.stats.view': {}
  'desk.stats.visits': { count: 'number'; unit: 'tag' }
  'docs.all_pages': {}
  'docs.as_markdown': {}
  'docs.console.any': {}
  'docs.console.call': {}
  'docs.console.calling': {}
  'docs.console.characters': { count: 'text' }
  'docs.console.default': { value: 'text' }
  'docs.console.done': { ms: 'text' }
  'docs.console.empty': {}
  'docs.console.failed': {}
  'docs.console.next_page': {}
  'docs.console.no_results': {}
  'docs.console.no_script': {}
  'docs.console.none': {}
  'docs.console.not_loaded': {}
  'docs.console.raw': {}
  'docs.console.request_json': {}
  'docs.console.required': {}
  'docs.console.response': {}
  'docs.console.response_json': {}
  'docs.console.results': { count: 'text' }
  'docs.console.title': {}
  'docs.console.tool': {}
  'docs.copied': {}
  'docs.copy': {}
  'docs.embeds.accent': {}
  'docs.embeds.accent_colour': {}
  'docs.embeds.attribute': {}
  'docs.embeds.attribute_accent': {}
  'docs.embeds.attribute_limit': {}
  'docs.embeds.attribute_slug': {}
  'docs.embeds.attribute_target': {}
  'docs.embeds.attribute_theme': {}
  'docs.embeds.attribute_tone': {}
  'docs.embeds.attribute_widget': {}
  'docs.embeds.attributes': {}
  'docs.embeds.code_title': {}
  'docs.embeds.copy_code': { title: 'text' }
  'docs.embeds.csp': { script: 'text'; connect: 'text'; image: 'text'; embedding: 'tag'; reference: 'tag' }
  'docs.embeds.default': {}
  'docs.embeds.details': {}
  'docs.embeds.enter_writer': {}
  'docs.embeds.frame': {}
  'docs.embeds.frame_about': {}
  'docs.embeds.image': {}
  'docs.embeds.image_about': {}
  'docs.embeds.kind.badge': {}
  'docs.embeds.kind.bio': {}
  'docs.embeds.kind.card': {}
  'docs.embeds.kind.list': {}
  'docs.embeds.kinds_title': {}
  'docs.embeds.lead': {}
  'docs.embeds.no_script': {}
  'docs.embeds.oembed': {}
  'docs.embeds.oembed_about': {}
  'docs.embeds.pieces': {}
  'docs.embeds.pinned': {}
  'docs.embeds.pinned_about': {}
  'docs.embeds.preview': {}
  'docs.embeds.required': {}
  'docs.embeds.script': {}
  'docs.embeds.script_about': {}
  'docs.embeds.site_colour': {}
  'docs.embeds.theme': {}
  'docs.embeds.unknown_writer': { slug: 'text' }
  'docs.embeds.value': {}
  'docs.embeds.verified_tone': {}
  'docs.embeds.widget': {}
  'docs.embeds.writer': {}
  'docs.embeds.writer_hint': {}
  'docs.endpoints.discovery': {}
  'docs.endpoints.discovery_about': {}
  'docs.endpoints.drafting': {}
  'docs.endpoints.drafting_about': {}
  'docs.endpoints.embeds': {}
  'docs.endpoints.embeds_about': {}
  'docs.endpoints.feeds': {}
  'docs.endpoints.feeds_about': {}
  'docs.endpoints.intro': {}
  'docs.endpoints.markdown': {}
  'docs.endpoints.markdown_about': {}
  'docs.endpoints.pages': {}
  'docs.endpoints.pages_about': {}
  'docs.endpoints.reading': {}
  'docs.endpoints.reading_about': {}
  'docs.endpoints.tools': {}
  'docs.endpoints.tools_about': {}
  'docs.index_lead': {}
  'docs.index_title': { site: 'text' }
  'docs.link_to_section': { heading: 'text' }
  'docs.next': { label: 'tag'; title: 'text' }
  'docs.on_this_page': {}
  'docs.previous': { label: 'tag'; title: 'text' }
  'docs.previous_and_next': {}
  'docs.reference.all_calls': {}
  'docs.reference.body': {}
  'docs.reference.characters': { count: 'text' }
  'docs.reference.default': { value: 'text' }
  'docs.reference.example': {}
  'docs.reference.example_response': {}
  'docs.reference.fields': { count: 'text' }
  'docs.reference.files': { json: 'tag'; yaml: 'tag' }
  'docs.reference.items': { count: 'text' }
  'docs.reference.may_be_absent': {}
  'docs.reference.needs_key': { drafting: 'tag' }
  'docs.reference.objects': {}
  'docs.reference.open_response': {}
  'docs.reference.parameters': {}
  'docs.reference.range': { minimum: 'text'; maximum: 'text' }
  'docs.reference.responses': {}
  'docs.security_contact': {}
  'docs.selected': {}
  'docs.table': {}
  'docs.title': {}
  'email.appeal_decided.intro': { outcome: readonly ('other' | 'reversed')[]; headline: 'text'; site: 'text' }
  'email.appeal_decided.subject': { outcome: readonly ('other' | 'reversed')[]; headline: 'text' }
  'email.approved.action': {}
  'email.approved.edit': { url: 'text' }
  'email.approved.intro': { site: 'text'; headline: 'text' }
  'email.approved.subject': { headline: 'text' }
  'email.change_requested.action': {}
  'email.change_requested.intro': { when: 'text' }
  'email.change_requested.link': {}
  'email.change_requested.subject': { site: 'text' }
  'email.changed.action': {}
  'email.changed.intro': { when: 'text' }
  'email.changed.link': {}
  'email.changed.subject': { site: 'text' }
  'email.changes_requested.action': {}
  'email.changes_requested.intro': { site: 'text'; headline: 'text' }
  'email.changes_requested.next': {}
  'email.changes_requested.subject': { headline: 'text' }
  'email.co_author_answered.action': {}
  'email.co_author_answered.intro': { answer: readonly ('agreed' | 'other' | 'withdrawn')[]; name: 'text'; headline: 'text'; site: 'text' }
  'email.co_author_answered.next': { answer: readonly ('agreed' | 'other')[] }
  'email.co_author_answered.subject': { answer: readonly ('agreed' | 'other' | 'withdrawn')[]; name: 'text'; headline: 'text' }
  'email.co_author_invited.action': {}
  'email.co_author_invited.intro': { writer: 'text'; site: 'text' }
  'email.co_author_invited.next': {}
  'email.co_author_invited.subject': { writer: 'text'; headline: 'text' }
  'email.comments.action': {}
  'email.comments.from': { names: 'text' }
  'email.comments.intro': { count: 'number'; headline: 'text'; site: 'text' }
  'email.comments.next': { url: 'text' }
  'email.comments.subject': { headline: 'text' }
  'email.confirm_new.action': {}
  'email.confirm_new.ignore': {}
  'email.confirm_new.intro': { site: 'text' }
  'email.confirm_new.subject': { site: 'text' }
  'email.confirm_new.until': {}
  'email.contact_site': {}
  'email.decision.action': {}
  'email.decision.appeal': { when: 'text' }
  'email.decision.intro': { act: readonly ('other' | 'reject' | 'take_down')[]; site: 'text'; headline: 'text' }
  'email.decision.note': { note: 'text' }
  'email.decision.origin': { reported: readonly ('other' | 'yes')[] }
  'email.decision.reason': { reason: 'text' }
  'email.decision.subject': { act: readonly ('other' | 'reject' | 'take_down')[]; headline: 'text' }
  'email.decision_reviewed.action': {}
  'email.decision_reviewed.now': { act: readonly ('other' | 'reject' | 'take_down')[] }
  'email.decision_reviewed.once': {}
  'email.decision_reviewed.reason': { reason: 'text' }
  'email.decision_reviewed.reversed': { headline: 'text'; site: 'text' }
  'email.decision_reviewed.reversed_on_appeal': { headline: 'text'; site: 'text' }
  'email.decision_reviewed.subject': { outcome: readonly ('other' | 'reversed')[]; headline: 'text' }
  'email.decision_reviewed.upheld': { headline: 'text'; site: 'text' }
  'email.deleted.action': { site: 'text' }
  'email.deleted.intro': { when: 'text' }
  'email.deleted.subject': { site: 'text' }
  'email.deleted.thanks': {}
  'email.deletion.action': {}
  'email.deletion.intro': { when: 'text' }
  'email.deletion.link': {}
  'email.deletion.not_you': { url: 'text' }
  'email.deletion.subject': { site: 'text' }
  'email.drafts.action': { count: 'number' }
  'email.drafts.intro': { count: 'number'; site: 'text' }
  'email.drafts.more': { count: 'text' }
  'email.drafts.subject': { count: 'number'; headline: 'text' }
  'email.drafts.turn_off': { url: 'text' }
  'email.drafts.unexpected': { url: 'text' }
  'email.follow.change': {}
  'email.follow.confirm.action': {}
  'email.follow.confirm.ignore': {}
  'email.follow.confirm.intro': { names: 'text' }
  'email.follow.confirm.listed': { names: 'text'; site: 'text' }
  'email.follow.confirm.subject': { site: 'text' }
  'email.follow.continue': {}
  'email.follow.digest.rest': { count: 'number' }
  'email.follow.digest.subject': { more: 'number'; headline: 'text' }
  'email.follow.digest.title': { site: 'text' }
  'email.follow.from': { names: 'text'; site: 'text' }
  'email.follow.imported': { name: 'text'; site: 'text'; date: 'text' }
  'email.follow.known.intro': { names: 'text' }
  'email.follow.known.subject': { site: 'text' }
  'email.follow.more': { count: 'number' }
  'email.follow.name': { kind: readonly ('other' | 'section' | 'series' | 'topic')[]; name: 'text' }
  'email.follow.picture': { alt: 'text' }
  'email.follow.read': {}
  'email.follow.reason': { kind: readonly ('daily' | 'other' | 'weekly')[]; names: 'text' }
  'email.follow.receipt': {}
  'email.follow.welcome.subject': { name: 'text' }
  'email.followers_imported.action': {}
  'email.followers_imported.intro': { when: 'text'; site: 'text' }
  'email.followers_imported.subject': { site: 'text' }
  'email.go_to_account': {}
  'email.invitation.action': {}
  'email.invitation.expiry': { days: 'number' }
  'email.invitation.ignore': {}
  'email.invitation.intro': { site: 'text' }
  'email.invitation.subject': { site: 'text' }
  'email.key_created.action': {}
  'email.key_created.intro': { key: 'text'; when: 'text' }
  'email.key_created.not_you': {}
  'email.key_created.subject': { site: 'text' }
  'email.key_leaked.action': {}
  'email.key_leaked.check': { drafts: 'text'; trash: 'text' }
  'email.key_leaked.clean_up': {}
  'email.key_leaked.intro': { key: 'text'; site: 'text'; when: 'text' }
  'email.key_leaked.subject': {}
  'email.known.action': {}
  'email.known.forgot': {}
  'email.known.ignore': {}
  'email.known.intro': { site: 'text' }
  'email.known.subject': { site: 'text' }
  'email.link_once': { hours: 'number' }
  'email.new_sign_in.action': {}
  'email.new_sign_in.intro': { when: 'text' }
  'email.new_sign_in.not_you': {}
  'email.new_sign_in.subject': { site: 'text' }
  'email.nothing_to_do': {}
  'email.passkey_added.intro': { when: 'text' }
  'email.passkey_added.not_you': {}
  'email.passkey_added.subject': { site: 'text' }
  'email.passkey_deleted.intro': { when: 'text' }
  'email.passkey_deleted.subject': { site: 'text' }
  'email.password_changed.intro': { when: 'text' }
  'email.password_changed.subject': { site: 'text' }
  'email.quote': { text: 'text' }
  'email.reason.copyright': {}
  'email.reason.danger': {}
  'email.reason.editorial': {}
  'email.reason.harassment': {}
  'email.reason.illegal': {}
  'email.reason.impersonation': {}
  'email.reason.other': {}
  'email.reason.private_information': {}
  'email.reason.spam': {}
  'email.recover.action': {}
  'email.recover.ignore': {}
  'email.recover.intro': { site: 'text' }
  'email.recover.link': {}
  'email.recover.subject': { site: 'text' }
  'email.recovery_code_used.intro': { when: 'text' }
  'email.recovery_code_used.next': {}
  'email.recovery_code_used.subject': { site: 'text' }
  'email.recovery_codes.intro': { when: 'text' }
  'email.recovery_codes.not_you': { url: 'text' }
  'email.recovery_codes.subject': { site: 'text' }
  'email.report.address_deleted': {}
  'email.report.not_you': {}
  'email.report_kept.action': { kind: readonly ('other' | 'piece')[] }
  'email.report_kept.again': {}
  'email.report_kept.intro': { kind: readonly ('other' | 'piece')[]; site: 'text' }
  'email.report_kept.subject': { kind: readonly ('other' | 'piece')[] }
  'email.report_taken_down.action': {}
  'email.report_taken_down.appeal': { kind: readonly ('other' | 'piece')[] }
  'email.report_taken_down.intro': { kind: readonly ('other' | 'piece')[]; site: 'text' }
  'email.report_taken_down.subject': { kind: readonly ('other' | 'piece')[] }
  'email.reset.action': {}
  'email.reset.current': {}
  'email.reset.ignore': {}
  'email.reset.intro': { site: 'text' }
  'email.reset.subject': { site: 'text' }
  'email.reset_now': { url: 'text' }
  'email.restored.intro': { site: 'text'; when: 'text' }
  'email.restored.subject': { site: 'text' }
  'email.review_passkeys': {}
  'email.schedule_published.intro': { headline: 'text'; site: 'text' }
  'email.schedule_published.subject': { headline: 'text' }
  'email.schedule_void.action': {}
  'email.schedule_void.intro': { headline: 'text'; site: 'text'; when: 'text' }
  'email.schedule_void.next': {}
  'email.schedule_void.reason': { reason: readonly ('account' | 'address' | 'deleted' | 'limit' | 'original' | 'other' | 'review' | 'suspended')[] }
  'email.schedule_void.subject': { headline: 'text' }
  'email.suspended.intro': { site: 'text'; when: 'text' }
  'email.suspended.subject': { site: 'text' }
  'email.suspended.work': {}
  'email.translation_answered.action': {}
  'email.translation_answered.intro': { answer: readonly ('agreed' | 'other')[]; original: 'text'; headline: 'text'; site: 'text' }
  'email.translation_answered.next': { answer: readonly ('agreed' | 'other')[] }
  'email.translation_answered.subject': { answer: readonly ('agreed' | 'other')[]; headline: 'text' }
  'email.translation_asked.action': {}
  'email.translation_asked.intro': { translator: 'text'; headline: 'text'; site: 'text' }
  'email.translation_asked.next': {}
  'email.translation_asked.subject': { headline: 'text' }
  'email.unverified.intro': { site: 'text'; when: 'text' }
  'email.unverified.subject': {}
  'email.verified.intro': { site: 'text'; when: 'text' }
  'email.verified.name': {}
  'email.verified.subject': {}
  'email.verify.action': {}
  'email.verify.ignore': {}
  'email.verify.intro': { site: 'text' }
  'email.verify.subject': { site: 'text' }
  'email.view_profile': {}
  'email.was_you': {}
  'email.webhook_off.action': {}
  'email.webhook_off.failing': { when: 'text' }
  'email.webhook_off.failing_next': {}
  'email.webhook_off.gone': { when: 'text' }
  'email.webhook_off.gone_next': {}
  'email.webhook_off.subject': {}
  'email.webhook_warning.action': {}
  'email.webhook_warning.intro': { when: 'text' }
  'email.webhook_warning.next': {}
  'email.webhook_warning.subject': {}
  'embed.all_pieces': {}
  'embed.badge_not_found': {}
  'embed.badge_verified': { name: 'text'; site: 'text' }
  'embed.identity_verified': {}
  'embed.newsletter': {}
  'embed.no_pieces': {}
  'embed.not_found': { link: 'tag' }
  'embed.not_found_title': {}
  'embed.oembed_json_only': {}
  'embed.oembed_not_found': {}
  'embed.pieces_by': { name: 'text' }
  'embed.pieces_last': { count: 'number'; date: 'text' }
  'embed.website_verified': {}
  'error.address_empty': {}
  'error.address_fixed': {}
  'error.address_taken': {}
  'error.already_appealed': {}
  'error.already_decided': {}
  'error.already_listed': {}
  'error.already_reversed': {}
  'error.already_suspended': {}
  'error.appeal_expired': {}
  'error.appeal_not_found': {}
  'error.author_suspended': {}
  'error.bounces.not_json': {}
  'error.bounces.signature': {}
  'error.busy': {}
  'error.busy_files': {}
  'error.busy_pictures': {}
  'error.busy_sign_in': {}
  'error.cannot_resend': {}
  'error.co_authors.no_invitation': {}
  'error.co_authors.not_found': {}
  'error.co_authors.oneself': {}
  'error.co_authors.too_many': { limit: 'text' }
  'error.co_authors.too_many_invited': {}
  'error.collision': {}
  'error.comment_no_suggestion': {}
  'error.comment_not_found': {}
  'error.comment_of_other': {}
  'error.confirm_sign_in': {}
  'error.content_expired': {}
  'error.cover_not_found': {}
  'error.cross_site': { origin: 'text' }
  'error.database_away': {}
  'error.database_slow': {}
  'error.decision_not_found': {}
  'error.deletion_not_due': {}
  'error.delivery_not_found': {}
  'error.email_changed_recently': {}
  'error.export_from_desk': {}
  'error.export_running': {}
  'error.export_too_large': {}
  'error.follow_limit': {}
  'error.follower_import.expired': {}
  'error.follower_import.no_addresses': {}
  'error.follower_import.no_rows': {}
  'error.follower_import.stopped': {}
  'error.follower_import.too_many': { limit: 'number' }
  'error.follower_import.too_many_files': { limit: 'number' }
  'error.follower_import.too_many_rows': { limit: 'number' }
  'error.front_page.changed': {}
  'error.front_page.ends_too_late': { days: 'number' }
  'error.front_page.same_author': { limit: 'number' }
  'error.front_page.too_many': { limit: 'number' }
  'error.headline_missing': {}
  'error.import_changed': {}
  'error.import_not_confirmed': {}
  'error.import_not_publishable': {}
  'error.internal': {}
  'error.invitation_expired': {}
  'error.invitation_not_found': {}
  'error.invitation_required': {}
  'error.invitations_per_day': { limit: 'text' }
  'error.key_deletes_own': {}
  'error.key_not_found': {}
  'error.last_way_in': {}
  'error.link_expired': {}
  'error.listing_changed': {}
  'error.listing_not_found': {}
  'error.listing_public': {}
  'error.listing_withheld': { reason: 'text' }
  'error.listings_changed': {}
  'error.listings_per_day': { limit: 'text' }
  'error.moderators_only': {}
  'error.name_changed': {}
  'error.name_mismatch': {}
  'error.name_too_common': {}
  'error.new_account_limit': { period: readonly ('day' | 'other')[]; limit: 'number' }
  'error.no_media_store': {}
  'error.no_open_reports': { kind: readonly ('other' | 'piece')[] }
  'error.no_receipt': {}
  'error.no_website': {}
  'error.not_appealed': {}
  'error.not_in_trash': {}
  'error.not_listed': {}
  'error.not_public': { kind: readonly ('other' | 'piece')[] }
  'error.not_scheduled': {}
  'error.not_suspended': {}
  'error.outbound.closed_early': { code: 'text' }
  'error.outbound.connection_late': {}
  'error.outbound.connection_refused': { code: 'text' }
  'error.outbound.name_late': { name: 'text' }
  'error.outbound.name_servers_failed': { name: 'text'; code: 'text' }
  'error.outbound.name_servers_late': { name: 'text' }
  'error.outbound.no_address': { name: 'text' }
  'error.outbound.no_addresses': {}
  'error.outbound.not_http': { code: 'text' }
  'error.outbound.private_address': {}
  'error.outbound.response_late': {}
  'error.outbound.tls_failed': { code: 'text' }
  'error.outbound.tls_late': {}
  'error.outbound.too_many_headers': {}
  'error.outcome_missing': {}
  'error.own_appeal': {}
  'error.own_decision': {}
  'error.own_identity': {}
  'error.own_listing': {}
  'error.own_piece': {}
  'error.own_reports': {}
  'error.passkey_known': {}
  'error.passkey_missing': {}
  'error.passkey_not_found': {}
  'error.passkey_required': {}
  'error.passkey_too_large': {}
  'error.passkey_unknown': {}
  'error.passkey_unreadable': {}
  'error.picture_damaged': {}
  'error.picture_format': {}
  'error.picture_not_copied': {}
  'error.picture_not_found': {}
  'error.picture_not_stored': {}
  'error.picture_pixels': { millions: 'text' }
  'error.picture_slow': {}
  'error.picture_too_many_pixels': {}
  'error.pictures_full': { megabytes: 'text' }
  'error.piece_author_suspended': {}
  'error.piece_not_found': {}
  'error.piece_status': { act: readonly ('approve' | 'edit' | 'other' | 'publish' | 'reject' | 'request_changes' | 'resubmit' | 'revise' | 'submit' | 'take_down' | 'unpublish' | 'update' | 'withdraw')[]; status: readonly ('approved' | 'draft' | 'other' | 'pending' | 'rejected')[]; next: readonly ('other' | 'revise' | 'unpublish' | 'withdraw')[] }
  'error.preview_days': {}
  'error.preview_expired': {}
  'error.preview_invalid': { problem: readonly ('changed' | 'not_shown' | 'other' | 'used')[]; act: readonly ('approve' | 'other' | 'publish' | 'update')[] }
  'error.preview_link_not_found': {}
  'error.preview_rejected': {}
  'error.preview_taken_down': {}
  'error.rate_limited': { seconds: 'number'; limit: 'text' }
  'error.reason_missing': {}
  'error.receipt_not_found': {}
  'error.recovery_failed': {}
  'error.refused': {}
  'error.renames_per_day': { limit: 'text' }
  'error.render_too_large': { kind: readonly ('code' | 'footnotes' | 'heading' | 'list' | 'other' | 'paragraph' | 'quote' | 'table')[]; line: 'text' }
  'error.render_too_slow': { over: readonly ('other' | 'time')[]; kind: readonly ('code' | 'footnotes' | 'heading' | 'list' | 'other' | 'paragraph' | 'quote' | 'table')[]; line: 'text' }
  'error.renders_busy': {}
  'error.report_limit': { kind: readonly ('other' | 'piece')[]; limit: 'text' }
  'error.request_timeout': {}
  'error.resent_recently': {}
  'error.review_not_found': {}
  'error.review_required.publish': {}
  'error.review_required.update': {}
  'error.revision_changed': { kind: readonly ('other' | 'piece')[]; revision: 'text' }
  'error.revision_not_found': {}
  'error.schedule_past': {}
  'error.schedule_too_far': {}
  'error.series_changed': {}
  'error.series_not_found': {}
  'error.series_pieces': {}
  'error.series_taken': {}
  'error.series_too_long': { limit: 'text' }
  'error.session_not_found': {}
  'error.sign_in_failed': {}
  'error.sign_in_limit_minutes': { minutes: 'number' }
  'error.sign_in_limit_seconds': { seconds: 'number' }
  'error.sign_in_too_old': { hours: 'text' }
  'error.sign_up_closed': {}
  'error.signed_out': {}
  'error.slug_invalid': {}
  'error.slug_taken': {}
  'error.suspend_moderator': {}
  'error.suspended': {}
  'error.take_down_outcome': {}
  'error.test_too_soon': {}
  'error.tests_per_hour': { limit: 'text' }
  'error.timed_out': {}
  'error.timed_out_unknown': {}
  'error.too_large': {}
  'error.too_many_comments': { limit: 'text' }
  'error.too_many_emails': { limit: 'text' }
  'error.too_many_keys': { limit: 'text' }
  'error.too_many_listings': { limit: 'text' }
  'error.too_many_passkeys': { limit: 'text' }
  'error.too_many_preview_links': { limit: 'text' }
  'error.too_many_requests': { limit: 'text' }
  'error.too_many_saves': { limit: 'text' }
  'error.too_many_schedules': { limit: 'text' }
  'error.too_many_series': { limit: 'text' }
  'error.translation.has_translations': {}
  'error.translation.no_consent': {}
  'error.translation.no_request': {}
  'error.translation.of_translation': {}
  'error.translation.original_gone': {}
  'error.translation.original_not_public': {}
  'error.translation.too_many_asked': {}
  'error.two_secrets': {}
  'error.unconfirmed': {}
  'error.url.host': { example: 'text' }
  'error.url.host_characters': {}
  'error.url.incomplete': { example: 'text' }
  'error.url.ip': { example: 'text' }
  'error.url.not_https': {}
  'error.url.own': {}
  'error.url.port': {}
  'error.url.private': { ending: 'text' }
  'error.url.too_long': { limit: 'text' }
  'error.url.trailing_dot': {}
  'error.url.user': {}
  'error.webhook_inactive': {}
  'error.webhook_not_active': {}
  'error.webhook_not_found': {}
  'error.webhook_not_paused': {}
  'error.webhook_secret_unreadable': {}
  'error.website.bad_status': { status: 'text' }
  'error.website.no_proof': {}
  'error.website.not_a_page': {}
  'error.website.page_not_found': { status: 'text' }
  'error.website.redirects_elsewhere': { host: 'text' }
  'error.website.too_far_down': {}
  'error.website.too_many_redirects': {}
  'error.website_check_too_soon': {}
  'error.writer_not_found': {}
  'error.writers_only': {}
  'error.wrong_password': {}
  'import.bad_address': { address: 'text' }
  'import.bad_archive': { file: 'text'; reason: readonly ('encrypted' | 'other' | 'too_large' | 'unsupported')[] }
  'import.bad_date': { date: 'text' }
  'import.cut': { member: readonly ('other' | 'standfirst')[]; most: 'text'; text: 'text' }
  'import.devto.liquid': { tag: 'text' }
  'import.devto.no_articles': { file: 'text' }
  'import.devto.not_an_export': { file: 'text' }
  'import.embed_linked': { address: 'text' }
  'import.front_matter_kept': {}
  'import.front_matter_open': { line: 'text'; fence: 'text' }
  'import.front_matter_values': { line: 'text'; example: 'text'; fence: 'text' }
  'import.ghost.authors': { names: 'text' }
  'import.ghost.cards': {}
  'import.ghost.code': { name: 'text' }
  'import.ghost.email_subject': { subject: 'text' }
  'import.ghost.internal_tags': { tags: 'text' }
  'import.ghost.metadata': {}
  'import.ghost.no_html': {}
  'import.ghost.no_json': {}
  'import.ghost.not_an_export': { file: 'text' }
  'import.ghost.page': {}
  'import.ghost.rows': { table: 'text'; count: 'number' }
  'import.lost_addresses': { option: 'text' }
  'import.lost_audience': { audience: 'text' }
  'import.lost_buttons': {}
  'import.lost_comments': { count: 'number' }
  'import.lost_cover': { address: 'text' }
  'import.lost_drawing': {}
  'import.lost_embed': {}
  'import.lost_files': { kind: 'text'; count: 'number' }
  'import.lost_form': {}
  'import.lost_highlights': {}
  'import.lost_image': { address: 'text' }
  'import.lost_image_without_address': {}
  'import.lost_own_comments': { count: 'number' }
  'import.lost_paywall': {}
  'import.lost_raised': {}
  'import.lost_reactions': { count: 'number' }
  'import.lost_schedule': { time: 'text' }
  'import.lost_script': {}
  'import.lost_series': { series: 'text' }
  'import.lost_tags': { most: 'text'; length: 'text'; tags: 'text' }
  'import.lost_target': { address: 'text' }
  'import.lost_video': { address: 'text' }
  'import.markdown.members': { names: 'text' }
  'import.markdown.no_files': {}
  'import.medium.claps': {}
  'import.medium.no_posts': { files: 'text' }
  'import.medium.response': { file: 'text'; response: 'text' }
  'import.medium.tags': {}
  'import.not_json': { file: 'text' }
  'import.not_utf8': { file: 'text' }
  'import.not_yaml': { line: 'text'; reason: 'text' }
  'import.remote_image': { address: 'text' }
  'import.remote_image_http': { address: 'text' }
  'import.substack.audio': { address: 'text' }
  'import.substack.comments': {}
  'import.substack.no_html': {}
  'import.substack.no_posts': { file: 'text' }
  'import.substack.poll': {}
  'import.substack.type': { type: 'text' }
  'import.toml': { line: 'text'; fence: 'text' }
  'import.too_long': { most: 'text' }
  'import.too_many_aliases': { line: 'text'; most: 'text' }
  'import.too_many_posts': { most: 'text' }
  'import.unknown_export': {}
  'import.wordpress.items': { kind: 'text'; count: 'number' }
  'import.wordpress.no_xml': {}
  'import.wordpress.not_an_export': { file: 'text' }
  'import.wordpress.page': {}
  'import.wordpress.short_code': { code: 'text' }
  'site.about.contact': { contact: 'text' }
  'site.about.follow': { email: 'text'; rss: 'text'; json: 'text'; developers: 'text' }
  'site.about.questions_title': {}
  'site.about.reading': { site: 'text' }
  'site.about.report': {}
  'site.about.title': { site: 'text' }
  'site.about.writing': { desk: 'text' }
  'site.about.writing_title': {}
  'site.archive.description': { site: 'text' }
  'site.archive.many': { count: 'text' }
  'site.archive.month_description': { site: 'text'; month: 'text' }
  'site.archive.months': {}
  'site.archive.title': {}
  'site.author.description': { name: 'text'; site: 'text' }
  'site.author.identity_verified': { site: 'text' }
  'site.author.identity_verified_on': { site: 'text'; date: 'text' }
  'site.author.newsletter': {}
  'site.author.piece_count': { count: 'number' }
  'site.author.pieces': {}
  'site.author.see_all': { name: 'text' }
  'site.author.series': {}
  'site.author.shop': {}
  'site.author.social_links': {}
  'site.author.website_checked': { host: 'text'; date: 'text' }
  'site.author.website_verified': { host: 'text' }
  'site.category.building': {}
  'site.category.civic': {}
  'site.category.culture': {}
  'site.category.ideas': {}
  'site.category.leading': {}
  'site.category.life': {}
  'site.category.money': {}
  'site.category.society': {}
  'site.comments.add': {}
  'site.comments.comment': {}
  'site.comments.intro': {}
  'site.comments.name': {}
  'site.comments.no_name': {}
  'site.comments.not_sent': {}
  'site.comments.passage': {}
  'site.comments.privacy': {}
  'site.comments.problem.comment': {}
  'site.comments.problem.name': {}
  'site.comments.problem.no_passage': {}
  'site.comments.problem.passage': {}
  'site.comments.problem.too_many': {}
  'site.comments.problem.words': {}
  'site.comments.replacement': {}
  'site.comments.replacement_hint': {}
  'site.comments.reply': {}
  'site.comments.resolved': { outcome: readonly ('accepted' | 'dismissed' | 'other')[] }
  'site.comments.send': {}
  'site.comments.send_reply': {}
  'site.comments.sent': {}
  'site.comments.suggestion': {}
  'site.comments.title': {}
  'site.comments.whole': {}
  'site.comments.words': {}
  'site.comments.words_hint': {}
  'site.comments.writer': {}
  'site.error.advice_400': {}
  'site.error.advice_404': {}
  'site.error.advice_405': {}
  'site.error.advice_414': {}
  'site.error.advice_429': {}
  'site.error.advice_500': {}
  'site.error.advice_503': {}
  'site.error.advice_unavailable': {}
  'site.error.request_id': { id: 'text' }
  'site.error.title_400': {}
  'site.error.title_404': {}
  'site.error.title_405': {}
  'site.error.title_414': {}
  'site.error.title_429': {}
  'site.error.title_500': {}
  'site.error.title_503': {}
  'site.error.title_unavailable': {}
  'site.feed.author_description': { name: 'text'; site: 'text' }
  'site.feed.author_not_found': {}
  'site.feed.category_description': { category: 'text'; site: 'text' }
  'site.feed.category_not_found': { names: 'text' }
  'site.feed.description': { site: 'text' }
  'site.feed.named': { name: 'text'; site: 'text' }
  'site.feed.series_description': { title: 'text'; name: 'text'; site: 'text' }
  'site.feed.series_not_found': {}
  'site.feed.topic_not_found': {}
  'site.follow.again': {}
  'site.follow.back': { name: 'text' }
  'site.follow.bad_link': {}
  'site.follow.bad_link_title': {}
  'site.follow.by_email': { name: 'text' }
  'site.follow.confirm': {}
  'site.follow.confirmed_title': {}
  'site.follow.consent': { kind: readonly ('author' | 'other' | 'series' | 'site' | 'topic')[]; name: 'text' }
  'site.follow.done.changed': {}
  'site.follow.done.confirmed': {}
  'site.follow.done.stopped': {}
  'site.follow.email_gone': {}
  'site.follow.email_gone_title': {}
  'site.follow.email_invalid': {}
  'site.follow.email_label': {}
  'site.follow.email_missing': {}
  'site.follow.email_stopped_title': {}
  'site.follow.fediverse': {}
  'site.follow.fediverse_title': {}
  'site.follow.feeds': {}
  'site.follow.feeds_title': {}
  'site.follow.following_title': { site: 'text' }
  'site.follow.frequency.daily': {}
  'site.follow.frequency.each': {}
  'site.follow.frequency.weekly': {}
  'site.follow.frequency_hint.daily': {}
  'site.follow.frequency_hint.each': {}
  'site.follow.frequency_hint.weekly': {}
  'site.follow.frequency_label': {}
  'site.follow.frequency_missing': {}
  'site.follow.keep_link': {}
  'site.follow.more_ways': {}
  'site.follow.not_public': {}
  'site.follow.not_sent': {}
  'site.follow.nothing': {}
  'site.follow.nothing_help': {}
  'site.follow.nothing_title': { site: 'text' }
  'site.follow.privacy': {}
  'site.follow.remove': {}
  'site.follow.save': {}
  'site.follow.sent': {}
  'site.follow.sent_help': { sender: 'text' }
  'site.follow.sent_title': {}
  'site.follow.stop': {}
  'site.follow.stop_all': {}
  'site.follow.stop_all_hint': {}
  'site.follow.stop_email': {}
  'site.follow.stop_email_help': { link: 'text' }
  'site.follow.stop_email_submit': {}
  'site.follow.stop_email_title': {}
  'site.follow.subject': { kind: readonly ('other' | 'section' | 'series' | 'topic')[]; name: 'text' }
  'site.follow.submit': {}
  'site.follow.title': { name: 'text' }
  'site.follow.too_many': { rss: 'tag'; json: 'tag' }
  'site.follow.too_many_title': {}
  'site.follow.waiting': {}
  'site.follow.waiting_title': {}
  'site.front.also_new': {}
  'site.front.new_writers': {}
  'site.list.all_languages': {}
  'site.list.categories': {}
  'site.list.empty': {}
  'site.list.follow': { rss: 'tag'; json: 'tag' }
  'site.list.follow_email': { email: 'tag'; rss: 'tag'; json: 'tag' }
  'site.list.languages': {}
  'site.list.more': {}
  'site.list.most_read': {}
  'site.list.older': {}
  'site.nav.about': {}
  'site.nav.developers': {}
  'site.nav.follow': {}
  'site.nav.home': {}
  'site.nav.imprint': {}
  'site.nav.label': {}
  'site.nav.privacy': {}
  'site.nav.search': {}
  'site.nav.shop': {}
  'site.nav.skip': {}
  'site.nav.start_writing': {}
  'site.nav.trust': {}
  'site.nav.write': {}
  'site.piece.author': {}
  'site.piece.contents': {}
  'site.piece.credit': { name: 'text' }
  'site.piece.first_published': { host: 'text' }
  'site.piece.footnote': { number: 'text' }
  'site.piece.footnote_back': { reference: 'text' }
  'site.piece.link_to_section': { heading: 'text' }
  'site.piece.more_from': { name: 'text' }
  'site.piece.next_part': {}
  'site.piece.part': { position: 'text'; count: 'text'; series: 'text' }
  'site.piece.picture_not_loaded': { address: 'text' }
  'site.piece.previous_part': {}
  'site.piece.private_draft': { state: readonly ('changes' | 'other')[] }
  'site.piece.read_in': { languages: 'text' }
  'site.piece.read_next': {}
  'site.piece.reading_time': { minutes: 'number' }
  'site.piece.receipt': {}
  'site.piece.report': {}
  'site.piece.share': {}
  'site.piece.share_email': {}
  'site.piece.table': {}
  'site.piece.translated_from': { language: 'text'; title: 'text'; author: 'text' }
  'site.piece.translation_of': { title: 'text'; author: 'text' }
  'site.piece.updated': { date: 'text' }
  'site.piece.verified': {}
  'site.privacy.accounts': {}
  'site.privacy.comments': {}
  'site.privacy.content': {}
  'site.privacy.deletion': {}
  'site.privacy.following': {}
  'site.privacy.following_title': {}
  'site.privacy.link_cards': {}
  'site.privacy.pictures': {}
  'site.privacy.questions_title': {}
  'site.privacy.rate_limits': {}
  'site.privacy.read_counts': {}
  'site.privacy.reading': { site: 'text' }
  'site.privacy.reading_title': {}
  'site.privacy.reporting': {}
  'site.privacy.reporting_title': {}
  'site.privacy.title': {}
  'site.privacy.writing_title': {}
  'site.receipt.by': { who: readonly ('moderator' | 'other' | 'update')[]; piece: 'text' }
  'site.receipt.check': {}
  'site.receipt.check_title': {}
  'site.receipt.cli': { command: 'text'; install: 'text'; link: 'tag' }
  'site.receipt.co_authors': { names: 'text' }
  'site.receipt.content': { hash: 'text' }
  'site.receipt.edition': { date: 'text' }
  'site.receipt.first': { date: 'text' }
  'site.receipt.imported': { service: 'text'; original: 'text'; here: 'text' }
  'site.receipt.json': { piece: 'tag'; keys: 'tag' }
  'site.receipt.key': { hash: 'text' }
  'site.receipt.number': { number: 'number' }
  'site.receipt.number_after': { number: 'number'; hash: 'text' }
  'site.receipt.proof': { method: readonly ('other' | 'passkey' | 'password')[]; duration: 'text' }
  'site.receipt.proof_revision': { duration: 'text' }
  'site.receipt.proves': { link: 'tag' }
  'site.receipt.revisions_api': { revision: 'number' }
  'site.receipt.revisions_mixed': { count: 'number'; revision: 'number'; list: 'text' }
  'site.receipt.revisions_person': { revision: 'number' }
  'site.receipt.scheduled': { consented: 'text'; time: 'text' }
  'site.receipt.signature': { value: 'text' }
  'site.receipt.title': {}
  'site.receipt.translation': { piece: 'text'; hash: 'text' }
  'site.receipt.translation_no_hash': { piece: 'text' }
  'site.receipt.trust': { link: 'tag' }
  'site.report.about': { headline: 'text'; writer: 'text' }
  'site.report.back': { kind: readonly ('other' | 'piece')[] }
  'site.report.email_hint': {}
  'site.report.email_invalid': {}
  'site.report.email_label': {}
  'site.report.email_missing': {}
  'site.report.good_faith_label': {}
  'site.report.good_faith_missing': {}
  'site.report.illegal_label': {}
  'site.report.intro': {}
  'site.report.leave_empty': {}
  'site.report.name_hint': {}
  'site.report.name_label': {}
  'site.report.name_too_long': { actual: 'number'; limit: 'number' }
  'site.report.not_sent': {}
  'site.report.note_hint': { limit: 'number' }
  'site.report.note_illegal_missing': {}
  'site.report.note_label': {}
  'site.report.note_missing': {}
  'site.report.place_hint': {}
  'site.report.place_label': {}
  'site.report.place_missing': {}
  'site.report.privacy': {}
  'site.report.reason.copyright': {}
  'site.report.reason.danger': {}
  'site.report.reason.harassment': {}
  'site.report.reason.illegal': {}
  'site.report.reason.impersonation': {}
  'site.report.reason.other': {}
  'site.report.reason.private_information': {}
  'site.report.reason.spam': {}
  'site.report.reason_hint.copyright': {}
  'site.report.reason_hint.danger': {}
  'site.report.reason_hint.harassment': {}
  'site.report.reason_hint.illegal': {}
  'site.report.reason_hint.impersonation': {}
  'site.report.reason_hint.other': {}
  'site.report.reason_hint.private_information': {}
  'site.report.reason_hint.spam': {}
  'site.report.reason_label': {}
  'site.report.reason_missing': { kind: readonly ('other' | 'piece')[] }
  'site.report.submit': {}
  'site.report.text_too_long': { actual: 'number'; limit: 'number' }
  'site.report.thanks': {}
  'site.report.thanks_title': {}
  'site.report.title': { kind: readonly ('other' | 'piece')[] }
  'site.report.too_many': { kind: readonly ('other' | 'piece')[] }
  'site.report.too_many_title': {}
  'site.search.all_sections': {}
  'site.search.author': {}
  'site.search.did_you_mean': { query: 'text' }
  'site.search.field': {}
  'site.search.filters': {}
  'site.search.hint': {}
  'site.search.in_body': {}
  'site.search.in_headline': {}
  'site.search.in_part': {}
  'site.search.in_standfirst': {}
  'site.search.language': {}
  'site.search.more': {}
  'site.search.more_results': { query: 'text' }
  'site.search.no_more_results': { query: 'text' }
  'site.search.no_results': { query: 'text' }
  'site.search.nothing_as_typed': { query: 'text' }
  'site.search.partial': {}
  'site.search.results': { query: 'text' }
  'site.search.results_instead': { query: 'text' }
  'site.search.section': {}
  'site.search.since': {}
  'site.search.submit': {}
  'site.search.tag': {}
  'site.search.title': {}
  'site.search.title_of': { query: 'text' }
  'site.search.too_long': { limit: 'number' }
  'site.search.until': {}
  'site.search.writers': {}
  'site.series.label': {}
  'site.series.parts': { count: 'number' }
  'site.shop.buy': { host: 'text' }
  'site.shop.description': { site: 'text' }
  'site.shop.empty': {}
  'site.shop.field': {}
  'site.shop.free': {}
  'site.shop.intro': {}
  'site.shop.more': {}
  'site.shop.no_more': {}
  'site.shop.no_results': { query: 'text' }
  'site.shop.pay': { host: 'text'; seller: 'text' }
  'site.shop.related': {}
  'site.shop.report': {}
  'site.shop.results': { query: 'text' }
  'site.shop.sold_by': { seller: 'text' }
  'site.shop.sold_by_name': { name: 'text' }
  'site.shop.title': {}
  'site.shop.title_of': { query: 'text' }
  'site.topic.description': { name: 'text'; site: 'text' }
  'site.topics.all': {}
  'site.topics.description': { site: 'text' }
  'site.topics.empty': {}
  'site.topics.most_used': {}
  'site.topics.title': {}
  'site.trending.24h': {}
  'site.trending.30d': {}
  'site.trending.7d': {}
  'site.trending.description': { site: 'text' }
  'site.trending.empty': {}
  'site.trending.periods': {}
  'site.trending.title': {}
  'site.trust.description': { site: 'text' }
  'site.trust.drafts': {}
  'site.trust.drafts_title': {}
  'site.trust.intro': {}
  'site.trust.key': { key: 'text'; date: 'text' }
  'site.trust.keys': { count: 'number'; link: 'tag' }
  'site.trust.more': {}
  'site.trust.no_keys': {}
  'site.trust.no_proof': { command: 'text' }
  'site.trust.nobody': {}
  'site.trust.people': { link: 'tag' }
  'site.trust.people_title': {}
  'site.trust.proof_canaries': { canaries: 'number'; published: 'number' }
  'site.trust.proof_failed': { changed: readonly ('other' | 'yes')[]; strong: 'tag'; date: 'text'; commit: 'text' }
  'site.trust.proof_passed': { changed: readonly ('other' | 'yes')[]; date: 'text'; commit: 'text' }
  'site.trust.proof_planted': { found: 'number'; total: 'number' }
  'site.trust.proof_requests': { breaches: 'number'; requests: 'number'; routes: 'number' }
  'site.trust.proof_run': { command: 'text' }
  'site.trust.proof_timings': { alike: 'number'; total: 'number' }
  'site.trust.proof_title': {}
  'site.trust.title': {}
  'site.trust.verified': {}
  'site.trust.verified_title': {}
  'site.trust.webhooks': {}
  'site.trust.webhooks_title': {}
  'site.writers.all': {}
  'site.writers.description': { site: 'text' }
  'site.writers.empty': {}
  'site.writers.initials': {}
  'site.writers.more': {}
  'site.writers.new': {}
  'site.writers.title': {}
}
