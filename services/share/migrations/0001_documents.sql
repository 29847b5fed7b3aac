-- Links and what they show are documents: their tables and indexes are made from src/store/share-documents.ts, behind these files.
select 1;
