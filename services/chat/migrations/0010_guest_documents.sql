-- Guests' buckets become documents. Version 0.1.0 goes on with the columns beside it: each row holds both shapes, and one statement decides on it
-- whichever version it is of, so no message is granted twice.
alter table guest_buckets
  add column id text collate "C",
  add column version integer not null default 1,
  add column doc jsonb;

create function guest_bucket_shapes() returns trigger language plpgsql as $$
begin
  if new.doc is null or (tg_op = 'UPDATE' and new.doc is not distinct from old.doc) then
    new.id := new.bucket;
    new.doc := jsonb_build_object(
      'windowStart', to_char(new.window_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'used', new.used,
      'pending', to_jsonb(new.pending)
    );
    if tg_op = 'UPDATE' then
      new.version := old.version + 1;
    end if;
  else
    new.bucket := new.id;
    new.window_start := (new.doc ->> 'windowStart')::timestamptz;
    new.used := (new.doc ->> 'used')::integer;
    new.pending := array(select jsonb_array_elements_text(new.doc -> 'pending'));
  end if;
  return new;
end
$$;
create trigger guest_bucket_shapes before insert or update on guest_buckets
  for each row execute function guest_bucket_shapes();

update guest_buckets set id = bucket;
alter table guest_buckets alter column id set not null, alter column doc set not null;
-- Not unique, as the key is: of two inserts at once, the version before can only stand to lose by its own key.
create index guest_buckets_by_id on guest_buckets (id);
