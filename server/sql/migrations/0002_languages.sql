-- The address of a piece or listing keeps the characters of any script: 关于茶, not "piece-2". Within ASCII it has a to z,
-- digits and hyphens, as before; which others are allowed, server/platform/text/slug.ts knows.

-- step: once
alter table app.pieces drop constraint pieces_slug_check,
  add constraint pieces_slug_check
    check (slug ~ '^[^\x01-\x2c\x2e\x2f\x3a-\x60\x7b-\x7f]+$' and char_length(slug) <= 90) not valid;
-- step: once
alter table app.products drop constraint products_slug_check,
  add constraint products_slug_check
    check (slug ~ '^[^\x01-\x2c\x2e\x2f\x3a-\x60\x7b-\x7f]+$' and char_length(slug) <= 90) not valid;

-- The language that a person chose for the desk and for emails, as a language tag; null until they do.
-- step: once
alter table app.accounts add column language text check (char_length(language) <= 35);
