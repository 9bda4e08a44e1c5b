-- Who may write the index of search: a lease with a number that grows at each change of hands, instead of a lock that
-- belongs to a session, which a connection pooler lends to somebody else or keeps after its holder is gone.
--
-- Lock: none on what is there.

set local role svc_owner;

create table search.lease (
  only_row boolean     primary key default true check (only_row),
  holder   uuid,
  -- Whoever has another number than this writes nothing.
  token    bigint      not null default 0,
  until    timestamptz not null default '-infinity'
);
insert into search.lease default values;
grant select, insert, update on search.lease to svc_worker;
