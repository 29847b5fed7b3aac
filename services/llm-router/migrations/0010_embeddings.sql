-- Models that make vectors of texts. Until one is registered, the version before reads what it knows.
-- contracts 0.1.0: a wider check takes its place.
alter table models drop constraint models_model_type_check;
alter table models add constraint models_model_type_check check (model_type in ('text', 'image', 'embedding'));
