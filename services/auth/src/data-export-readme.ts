/** What is said of an export in its ZIP. */
export interface ExportAbout {
  readonly username: string
  readonly requestedAt: Date
  readonly completedAt: Date
  /** Files that did not fit; some of their names, and how many there are. */
  readonly leftOut: { readonly names: readonly string[]; readonly count: number }
}

/** The README.md of the ZIP, in words for the person whose data it holds. */
export const exportReadme = ({ username, requestedAt, completedAt, leftOut }: ExportAbout): string => `# Your data

Everything that is kept of the account **${username}**, asked for on ${readable(requestedAt)} and put together by ${readable(completedAt)}.

| Where | What |
|---|---|
| \`account.json\` | The account: names, address, settings, devices that you signed in on, earlier addresses, linked sign-ins, what you did as an administrator. Passwords and codes are kept as hashes only and are not here. |
| \`chats/\` | Every chat twice: as \`.md\` to read (the version that is shown) and as \`.json\` with all versions, which can be imported again. |
| \`files/\` | The files that you sent and the pictures that were made for you. \`files.json\` tells the name of each; chats refer to them by the id that their names begin with. |
| \`watchlist.json\` | The tickers that you follow. |
| \`billing/\` | Your plan and credits, and every change of the balance. |
| \`mails.json\` | Mails of the last 30 days: what they were about, when, and whether they were taken over. Their texts are not kept. |

All times are UTC. Chats that you deleted are not here.
${leftOut.count === 0 ? '' : missing(leftOut)}`

const missing = ({ names, count }: ExportAbout['leftOut']): string => `
## Left out

An export holds at most 100 MB and 30,000 files. ${count} ${count === 1 ? 'file' : 'files'} did not fit:

${names.map((name) => `- ${name}`).join('\n')}
${count > names.length ? `- … and ${count - names.length} more\n` : ''}
Chats and files that are not here can be saved one by one where they are shown.
`

const readable = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
