-- Watchlists become documents. Version 0.1.0 goes on with the columns beside it: each row holds both shapes.
alter table watchlists
  add column id text collate "C",
  add column version integer not null default 1,
  add column doc jsonb;

create function watchlist_shapes() returns trigger language plpgsql as $$
begin
  if new.doc is null or (tg_op = 'UPDATE' and new.doc is not distinct from old.doc) then
    new.id := new.owner_id;
    new.doc := jsonb_build_object('symbols', to_jsonb(new.symbols));
    if tg_op = 'UPDATE' then
      new.version := old.version + 1;
    end if;
  else
    new.owner_id := new.id;
    new.symbols := array(select jsonb_array_elements_text(new.doc -> 'symbols'));
  end if;
  return new;
end
$$;
create trigger watchlist_shapes before insert or update on watchlists
  for each row execute function watchlist_shapes();

update watchlists set id = owner_id;
alter table watchlists alter column id set not null, alter column doc set not null;
create index watchlists_by_id on watchlists (id);
