const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  golang: 'go',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  plaintext: 'txt',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  text: 'txt',
  typescript: 'ts',
  yaml: 'yml',
  zsh: 'sh',
}

/** What a code block is called when it is saved; the language is a model's word and only letters and digits of it are kept. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `code.${endings[name] ?? (name === '' || name.length > 10 ? 'txt' : name)}`
}
