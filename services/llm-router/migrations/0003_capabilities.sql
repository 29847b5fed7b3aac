-- What the models of the seed can take, where no admin has set anything about them since.
-- Google's chat completions have no form for PDFs: its models are given their text.
update models set supports_file_attachments = false where id in ('gemini-2.5-pro', 'gemini-2.5-flash') and updated_by is null;
-- OpenRouter picks a model that sees where there are images, and reads files for all of them.
update models set supports_image_attachments = true, supports_file_attachments = true where id = 'openrouter-auto' and updated_by is null;
