-- A link alone on a line becomes a card: the title, the site and a picture of the page it leads to. The worker fetches
-- them once, after the piece is public; readers call no third party.
set local role svc_owner;

-- A row for each such link of a public piece. Without a title it is not fetched yet, or could not be.
create table pub.link_cards (
  piece_id       uuid        not null,
  url            text        not null check (octet_length(url) <= 1000),
  attempts       smallint    not null default 0,
  tried_at       timestamptz,
  title          text        check (char_length(title) between 1 and 200),
  -- What the page calls its site, if it does.
  site           text        check (char_length(site) between 1 and 80),
  -- The hash of its bytes in the media store.
  picture        text        check (picture ~ '^[0-9a-f]{64}$'),
  picture_width  integer,
  picture_height integer,
  picture_bytes  integer,
  primary key (piece_id, url),
  check (num_nulls(picture, picture_width, picture_height, picture_bytes) in (0, 4))
);

create index link_cards_by_url on pub.link_cards (url, piece_id);
create index link_cards_by_picture on pub.link_cards (picture) where picture is not null;
create index link_cards_untried on pub.link_cards (piece_id) where tried_at is null;
