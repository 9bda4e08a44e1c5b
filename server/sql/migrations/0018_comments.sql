-- Comments and suggestions on passages of a draft: by its writer, by moderators while it waits for review, and by those who
-- hold a private link to it.

-- step: once
set local role svc_owner;

create table app.comments (
  id          uuid        primary key,
  piece_id    uuid        not null references app.pieces on delete cascade,
  -- Of a reply: the comment that it answers.
  thread_id   uuid        references app.comments on delete cascade,
  made_by     text        not null check (made_by in ('writer', 'moderator', 'guest')),
  -- Null for a guest, who has a name of their choice and came by a private link. The comment outlives the link.
  account_id  uuid        references app.accounts on delete cascade,
  preview_id  uuid        references app.previews on delete set null,
  guest_name  text        check (char_length(guest_name) between 1 and 60),
  body        text        not null check (char_length(body) <= 2000),
  -- Of a suggestion: words instead of the passage.
  replacement text        check (char_length(replacement) <= 5000),
  -- The passage, with what surrounded it and where it began in the Markdown when the comment was made; null for a comment
  -- on the whole piece.
  quote       text        check (char_length(quote) between 1 and 5000),
  before      text        check (char_length(before) <= 100),
  after       text        check (char_length(after) <= 100),
  position    integer     check (position >= 0),
  created_at  timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  resolved_at timestamptz,
  outcome     text        check (outcome in ('accepted', 'dismissed')),
  -- When the email about it was ordered; -infinity where nobody gets one.
  notified_at timestamptz,
  constraint comments_maker_check check ((made_by = 'guest') = (account_id is null)
                                         and (made_by = 'guest') = (guest_name is not null)
                                         and (made_by = 'guest' or preview_id is null)),
  constraint comments_reply_check check (thread_id is null
                                         or num_nonnulls(replacement, quote, before, after, position, resolved_at, outcome) = 0),
  constraint comments_passage_check check (num_nonnulls(quote, before, after, position) in (0, 4)),
  constraint comments_suggestion_check check (replacement is null or quote is not null),
  constraint comments_text_check check (body <> '' or replacement is not null)
);

create index comments_of_piece on app.comments (piece_id, created_at);

create index comments_of_thread on app.comments (thread_id) where thread_id is not null;

create index comments_of_account on app.comments (account_id) where account_id is not null;

create index comments_of_preview on app.comments (preview_id) where preview_id is not null;

create index comments_to_tell on app.comments (piece_id) where notified_at is null;
