-- Drops the contents of the schema in the variable `schema`. The schema itself is kept, with its owner and privileges, as are extensions' objects.
with members as (
  select objid, classid from pg_depend where deptype = 'e'
), objects as (
  -- Tables first: sequences of their columns go with them, and by themselves would not.
  select case when relkind in ('r', 'p') then 1 else 2 end as turn, format('%s if exists %I.%I',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      nspname, relname) as what
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname = :'schema' and relkind in ('r', 'p', 'v', 'm', 'S')
    and (c.oid, 'pg_class'::regclass) not in (select objid, classid from members)
  union all
  select 3, format('routine if exists %s', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname = :'schema' and (p.oid, 'pg_proc'::regclass) not in (select objid, classid from members)
  union all
  select 4, format('type if exists %I.%I', nspname, typname)
  from pg_type t join pg_namespace n on n.oid = typnamespace left join pg_class c on c.oid = typrelid
  where nspname = :'schema' and (typtype in ('e', 'd', 'r') or relkind = 'c')
    and (t.oid, 'pg_type'::regclass) not in (select objid, classid from members)
)
select format('drop %s cascade', what) from objects order by turn
\gexec
