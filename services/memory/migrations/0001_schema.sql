-- Memories, accounts and erasures are documents, whose tables are made after this file.
select 1;
