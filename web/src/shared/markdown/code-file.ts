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

/** The file name of a saved code block; only letters and digits of the language are kept, because the model chose it. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `code.${endings[name] ?? (name === '' || name.length > 10 ? 'txt' : name)}`
}
