/** The text of the README in an export's ZIP. */
export interface ExportAbout {
  readonly username: string
  readonly requestedAt: Date
  readonly completedAt: Date
  /** Files that did not fit; some of their names, and how many there are. */
  readonly leftOut: { readonly names: readonly string[]; readonly count: number }
}

/** The README.md of the ZIP, in words for the person whose data it holds. */
export const exportReadme = ({ username, requestedAt, completedAt, leftOut }: ExportAbout): string => `# Your data

Everything this server keeps for the account **${username}**, requested on ${readable(requestedAt)} and completed on ${readable(completedAt)}.

| Where | What |
|---|---|
| \`account.json\` | Your account: names, address, settings, devices you signed in on, earlier addresses, linked sign-ins, and what you did as an administrator. Passwords and codes are kept only as hashes and aren’t included. |
| \`chats/\` | Every chat twice: as \`.md\` to read (the version that is shown) and as \`.json\` with all versions, which you can import again. |
| \`files/\` | The files you sent and the images made for you. \`files.json\` lists their names; chats refer to them by the ID their names start with. |
| \`watchlist.json\` | The tickers you follow. |
| \`memory/\` | What Parley remembers about you, suggests to remember, and has forgotten but not yet deleted. |
| \`shared-links.json\` | The links you shared, with the messages that they show. |
| \`billing/\` | Your plan and credits, every change of the balance, your API keys without their secrets, and what was asked with them. |
| \`api-responses.json\` | Responses of the API that your programs had stored, with what they had asked. |
| \`mails.json\` | Emails of the last 30 days: what they were about, when they were sent, and whether they were accepted. Their texts aren’t kept. |

All times are UTC. Deleted chats aren’t included.
${leftOut.count === 0 ? '' : missing(leftOut)}`

const missing = ({ names, count }: ExportAbout['leftOut']): string => `
## Left out

An export holds at most 100 MB and 30,000 files. ${count} ${count === 1 ? 'file' : 'files'} didn’t fit:

${names.map((name) => `- ${name}`).join('\n')}
${count > names.length ? `- … and ${count - names.length} more\n` : ''}
You can save the missing chats and files one by one in Parley.
`

const readable = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
