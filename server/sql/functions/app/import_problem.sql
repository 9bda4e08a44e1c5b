set local role svc_publisher;

-- Why an imported draft cannot be published with its original date; null if it can.
create or replace function app.import_problem(p_headline text, p_fields jsonb, p_review_required boolean,
                                              p_original_at timestamptz) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when p_original_at is null then 'date'
      when lower(p_headline) = 'untitled' then 'headline'
      when p_review_required then 'review'
      when p_fields ? 'translation_of' then 'translation'
    end
  $$;

revoke all on function app.import_problem(text, jsonb, boolean, timestamp with time zone) from public;
grant execute on function app.import_problem(text, jsonb, boolean, timestamp with time zone) to svc_desk;
